package import CairnCore

/// The response to one action.
package struct ActionBody: JSONWritable, Sendable {
  /// The outcome, events and changes of the action.
  package var transition: Transition
  /// The session's revision after the action.
  package var revision: Int
  /// The view of the state after the action; `nil` inside the response to an array of actions.
  package var seen: Seen?
  /// The members that only a plan's response has; `nil` if the action was performed.
  package var plan: PlanBody?
  /// The members of the session that the client asked for; `nil` if the client asked for no members.
  package var included: IncludedMembers?

  package init(_ transition: Transition, revision: Int, seen: Seen? = nil, plan: PlanBody? = nil, included: IncludedMembers? = nil) {
    self.transition = transition
    self.revision = revision
    self.seen = seen
    self.plan = plan
    self.included = included
  }

  package var expectedSize: Int { seen?.expectedSize ?? 1_024 }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    plan?.writeMembers(to: &writer)
    transition.writeMembers(to: &writer)
    writer.member("revision", revision)
    seen?.writeMembers(to: &writer)
    included?.write(to: &writer)
    writer.endObject()
  }

  /// Writes the response to a performed action like `write(to:)`, but without creating an `ActionBody`.
  package static func write(
    _ transition: borrowing Transition, revision: Int, _ state: borrowing State, _ reducer: borrowing Reducer, isMinimal: Bool,
    included: IncludedMembers? = nil, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    transition.writeMembers(to: &writer)
    writer.member("revision", revision)
    Seen.writeMembers(of: state, reducer, isMinimal: isMinimal, to: &writer)
    included?.write(to: &writer)
    writer.endObject()
  }
}

/// The response to an array of actions.
package struct ActionsBody: JSONWritable, Sendable {
  /// The session's revision after the last action.
  package var revision: Int
  /// The response to each action, without `seen`.
  package var answers: [ActionBody]
  /// The view of the state after the last action.
  package var seen: Seen
  /// The members that only a plan's response has; `nil` if the actions were performed.
  package var plan: PlanBody?
  /// The members of the session that the client asked for; `nil` if the client asked for no members.
  package var included: IncludedMembers?

  package init(revision: Int, answers: [ActionBody], seen: Seen, plan: PlanBody? = nil, included: IncludedMembers? = nil) {
    self.revision = revision
    self.answers = answers
    self.seen = seen
    self.plan = plan
    self.included = included
  }

  package var expectedSize: Int { seen.expectedSize }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    plan?.writeMembers(to: &writer)
    writer.member("answers", answers)
    writer.member("revision", revision)
    seen.writeMembers(to: &writer)
    included?.write(to: &writer)
    writer.endObject()
  }
}
