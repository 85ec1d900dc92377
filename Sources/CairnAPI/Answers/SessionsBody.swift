package import CairnCore

/// A page of the list of sessions, oldest first; a session is a `SessionItem`, or what was written of one.
package struct SessionsBody<Item: JSONWritable & Sendable>: JSONWritable, Sendable {
  package var sessions: [Item]
  /// Ids of sessions that stand between them and cannot be read.
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
    if !damaged.isEmpty { writer.member("damaged", damaged) }
    writer.member("next", ifPresent: next)
    writer.member("sessions", sessions)
    writer.endObject()
  }
}

/// A session in short.
package struct SessionItem: JSONWritable, Sendable {
  private let body: SessionBody

  package init(_ body: SessionBody) { self.body = body }

  package func write(to writer: inout JSONWriter) { body.writeInShort(to: &writer) }
}
