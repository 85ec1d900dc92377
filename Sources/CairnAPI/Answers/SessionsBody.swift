package import CairnCore

/// A page of the list of sessions, oldest first.
package struct SessionsBody: JSONWritable, Sendable {
  package var sessions: [Item]
  /// Ids of sessions that belong here and cannot be read; shown only if there are some.
  package var damaged: [String]
  /// The path of the next page; nil on the last.
  package var next: String?

  package init(sessions: [Item], damaged: [String] = [], next: String?) {
    self.sessions = sessions
    self.damaged = damaged
    self.next = next
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("damaged", ifPresent: damaged.isEmpty ? nil : damaged)
    writer.member("next", ifPresent: next)
    writer.member("sessions", sessions)
    writer.endObject()
  }

  /// A session in short.
  package struct Item: JSONWritable, Sendable {
    private let body: SessionBody

    package init(_ body: SessionBody) { self.body = body }

    package func write(to writer: inout JSONWriter) { body.writeInShort(to: &writer) }
  }
}
