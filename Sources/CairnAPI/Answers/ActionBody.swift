package import CairnCore

/// The answer to one action.
package struct ActionBody: Encodable, Sendable {
  package var outcome: Outcome
  package var reason: String?
  package var revision: Int
  package var events: [Event]
  package var changes: [Change]
  /// Left out of the single answers of an array.
  package var seen: Seen?

  package init(_ transition: Transition, revision: Int, seen: Seen? = nil) {
    outcome = transition.outcome
    reason = transition.reason
    self.revision = revision
    events = transition.events
    changes = transition.changes
    self.seen = seen
  }

  private enum Key: String, CodingKey { case outcome, reason, revision, events, changes }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(outcome, forKey: .outcome)
    try members.encodeIfPresent(reason, forKey: .reason)
    try members.encode(revision, forKey: .revision)
    try members.encode(events, forKey: .events)
    try members.encode(changes, forKey: .changes)
    try seen?.encode(to: encoder)
  }
}

/// The answer to an array of actions.
package struct ActionsBody: Encodable, Sendable {
  package var revision: Int
  package var answers: [ActionBody]
  package var seen: Seen

  package init(revision: Int, answers: [ActionBody], seen: Seen) {
    self.revision = revision
    self.answers = answers
    self.seen = seen
  }

  private enum Key: String, CodingKey { case revision, answers }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(revision, forKey: .revision)
    try members.encode(answers, forKey: .answers)
    try seen.encode(to: encoder)
  }
}

/// What is seen after an action: all of it, or with `Prefer: return=minimal` the visible route alone.
package struct Seen: Encodable, Sendable {
  package var view: View
  package var isMinimal: Bool

  package init(_ view: View, isMinimal: Bool) {
    self.view = view
    self.isMinimal = isMinimal
  }

  private enum Key: String, CodingKey { case visible, stack, tree }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Key.self)
    try members.encode(view.visible, forKey: .visible)
    guard !isMinimal else { return }
    try members.encode(view.stack, forKey: .stack)
    try members.encode(view.tree, forKey: .tree)
  }
}
