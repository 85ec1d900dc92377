package import CairnCore

/// A page of the list of sessions, oldest first. An item is a `SessionItem`, or its encoded bytes.
package struct SessionsBody<Item: JSONWritable & Sendable>: DescribedBody, Sendable {
  package var sessions: [Item]
  /// The ids of sessions in the page's range that cannot be read.
  package var damaged: [String]
  /// The path of the next page; `nil` on the last page.
  package var next: String?

  package init(sessions: [Item], damaged: [String] = [], next: String?) {
    self.sessions = sessions
    self.damaged = damaged
    self.next = next
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.maybe(
      "damaged", body?.damaged.unlessEmpty, "Ids of the sessions on this page that cannot be read, because they are damaged.",
      as: .list(of: .shared(.sessionID)))
    visitor.maybe("next", body?.next, Property.aboutNext)
    visitor.always("sessions", body?.sessions, "The sessions, oldest first.", as: .list(of: .shared(.sessionItem)))
  }
}

/// A session as an element of the list.
package struct SessionItem: JSONWritable, Sendable {
  private let body: SessionBody

  package init(_ body: SessionBody) { self.body = body }

  package func write(to writer: inout JSONWriter) { body.writeInShort(to: &writer) }
}
