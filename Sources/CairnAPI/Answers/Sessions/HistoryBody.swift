package import CairnCore

/// A page of a session's history, oldest first. An item is an `EntryBody`, or its encoded bytes.
package struct HistoryBody<Item: JSONWritable & Sendable>: DescribedBody, Sendable {
  package var entries: [Item]
  /// The first revision that can be read, if earlier history was forgotten; otherwise `nil`.
  package var firstRevision: Int?
  /// The path of the next page; `nil` on the last page.
  package var next: String?

  package init(entries: [Item], firstRevision: Int? = nil, next: String?) {
    self.entries = entries
    self.firstRevision = firstRevision
    self.next = next
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("entries", body?.entries, "The entries, oldest first.", as: .list(of: .shared(.entry)))
    visitor.maybe(
      "firstRevision", body?.firstRevision,
      "The first revision that can be read, if earlier history was forgotten. Entries begin after it.",
      as: .whole(from: 1))
    visitor.maybe("next", body?.next, Property.aboutNext)
  }
}

/// An entry of the history in a response. Codes and tokens appear as `true`, and values of the environment are omitted. The member `by`
/// names the operator who posted the action.
package struct EntryBody: JSONWritable, Sendable {
  /// The journal's entry.
  package var entry: Entry
  /// The outcome, events and changes of the action.
  package var transition: Transition

  package init(_ entry: Entry, _ transition: Transition) {
    self.entry = entry
    self.transition = transition
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("action")
    Self.write(entry.cause, to: &writer)
    writer.member("at", entry.stamp.at)
    writer.member("by", ifPresent: entry.author)
    transition.writeMembers(to: &writer)
    writer.member("receivedAt", ifPresent: entry.stamp.receivedAt)
    writer.member("request", ifPresent: entry.request)
    writer.member("revision", entry.revision)
    writer.member("sender", ifPresent: entry.stamp.sender)
    writer.endObject()
  }

  /// Writes the cause of an entry in the form of the history.
  static func write(_ cause: Entry.Cause, to writer: inout JSONWriter) {
    switch cause {
    case .action(let action): action.write(to: &writer)
    case .creation(let creation): write(creation, to: &writer)
    case .replacement(let replacement): write(replacement, to: &writer)
    }
  }

  private static func write(_ replacement: Entry.Replacement, to writer: inout JSONWriter) {
    writer.beginObject()
    switch replacement {
    case .migrated(let old, let new):
      writer.member("from", old)
      writer.member("to", new)
      writer.member("type", "migrated")
    case .undone(let revision, let reason):
      writer.member("reason", ifPresent: reason)
      writer.member("revision", revision)
      writer.member("type", "undone")
    case .forked(let session, let revision):
      writer.member("revision", revision)
      writer.member("session", session)
      writer.member("type", "forked")
    case .imported(let session):
      writer.member("session", session)
      writer.member("type", "imported")
    case .scenario(let name):
      writer.member("name", name)
      writer.member("type", "scenario")
    }
    writer.endObject()
  }

  private static func write(_ creation: Creation, to writer: inout JSONWriter) {
    writer.beginObject()
    if creation.hasToken { writer.member("accessToken", true) }
    if creation.manualClock { writer.member("clock", "manual") }
    if creation.manualRequests { writer.member("requests", "manual") }
    if !creation.facts.isEmpty { writer.member("facts", creation.facts) }
    writer.member("type", "create")
    writer.endObject()
  }
}

extension Stamp {
  /// The time of an entry in responses. It is the time at which the user acted, according to the client. If the client gave no time, it is
  /// the time at which the action ran.
  var at: Timestamp { Timestamp(clientTime?.happened ?? time) }

  /// The time at which the service ran the action, if the client gave a time of its own; otherwise `nil`.
  var receivedAt: Timestamp? { clientTime.map { _ in Timestamp(time) } }
}
