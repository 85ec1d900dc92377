package import CairnCore

/// The last event of a stream.
package struct EndBody: JSONWritable, Sendable {
  /// A stable word.
  package var reason: String
  package var origin: ChangeBody.Origin?
  /// Milliseconds since 1970.
  package var time: Int?

  package init(_ reason: String, origin: ChangeBody.Origin? = nil, time: Int? = nil) {
    self.reason = reason
    self.origin = origin
    self.time = time
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", ifPresent: origin?.app)
    writer.member("at", ifPresent: time.map(Timestamp.init))
    writer.member("label", ifPresent: origin?.label)
    writer.member("reason", reason)
    writer.member("session", ifPresent: origin?.session)
    writer.endObject()
  }
}
