package import CairnCore

/// A page of the list of sessions, oldest first.
package struct SessionsBody: JSONWritable, Sendable {
  package var sessions: [Item]
  /// The path of the next page; nil on the last.
  package var next: String?

  package init(sessions: [Item], next: String?) {
    self.sessions = sessions
    self.next = next
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
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
