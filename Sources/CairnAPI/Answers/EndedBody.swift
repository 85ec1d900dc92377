package import CairnCore

/// The result of a request to end many sessions.
package struct EndedBody: JSONWritable, Sendable {
  /// How many were ended.
  package var ended: Int
  /// The path to go on with; nil: all are.
  package var next: String?

  package init(ended: Int, next: String?) {
    self.ended = ended
    self.next = next
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("ended", ended)
    writer.member("next", ifPresent: next)
    writer.endObject()
  }
}
