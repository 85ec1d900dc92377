package import CairnCore

/// A page of a session's history, oldest first.
package struct HistoryBody: Encodable, Sendable {
  package var entries: [EntryBody]
  /// The path of the next page; nil on the last.
  package var next: String?

  package init(entries: [EntryBody], next: String?) {
    self.entries = entries
    self.next = next
  }
}

/// An entry as the history shows it: codes and tokens as `true`, values of the environment not at all.
package struct EntryBody: Encodable, Sendable {
  package var revision: Int
  package var at: String
  package var action: Cause
  package var outcome: Outcome
  package var reason: String?
  package var events: [Event]
  package var changes: [Change]

  package enum Cause: Encodable, Sendable {
    case creation(Creation)
    case action(Action)

    private enum Key: String, CodingKey { case type, accessToken, facts, clock }

    package func encode(to encoder: any Encoder) throws {
      switch self {
      case .action(let action): try action.encode(to: encoder)
      case .creation(let creation):
        var members = encoder.container(keyedBy: Key.self)
        try members.encode("create", forKey: .type)
        if creation.hasToken { try members.encode(true, forKey: .accessToken) }
        if !creation.facts.isEmpty { try members.encode(creation.facts, forKey: .facts) }
        if creation.manualClock { try members.encode("manual", forKey: .clock) }
      }
    }
  }

  package init(_ entry: Entry, _ transition: Transition) {
    revision = entry.revision
    at = Timestamp.text(entry.stamp.time)
    action =
      switch entry.cause {
      case .creation(let creation): .creation(creation)
      case .action(let cause): .action(cause)
      }
    outcome = transition.outcome
    reason = transition.reason
    events = transition.events
    changes = transition.changes
  }
}
