package import CairnCore

/// The answer to one action.
package struct ActionBody: JSONWritable, Sendable {
  /// The effect of the action on the state.
  package var transition: Transition
  /// The one that it left.
  package var revision: Int
  /// Left out of the single answers of an array.
  package var seen: Seen?
  /// It was planned; nil: it was done.
  package var plan: PlanBody?

  package init(_ transition: Transition, revision: Int, seen: Seen? = nil, plan: PlanBody? = nil) {
    self.transition = transition
    self.revision = revision
    self.seen = seen
    self.plan = plan
  }

  package var expectedSize: Int { seen?.expectedSize ?? 1_024 }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    plan?.writeMembers(to: &writer)
    transition.writeMembers(to: &writer)
    writer.member("revision", revision)
    seen?.writeMembers(to: &writer)
    writer.endObject()
  }

  /// Writes the answer to one action that was done, as `write(to:)` does, without making it first.
  package static func write(
    _ transition: borrowing Transition, revision: Int, _ state: borrowing State, _ reducer: borrowing Reducer, isMinimal: Bool,
    to writer: inout JSONWriter
  ) {
    writer.beginObject()
    transition.writeMembers(to: &writer)
    writer.member("revision", revision)
    Seen.writeMembers(of: state, reducer, isMinimal: isMinimal, to: &writer)
    writer.endObject()
  }
}

/// The answer to an array of actions.
package struct ActionsBody: JSONWritable, Sendable {
  /// The one that the last of them left.
  package var revision: Int
  /// Each action's own, without what is seen.
  package var answers: [ActionBody]
  /// After the last of them.
  package var seen: Seen
  /// They were planned; nil: they were done.
  package var plan: PlanBody?

  package init(revision: Int, answers: [ActionBody], seen: Seen, plan: PlanBody? = nil) {
    self.revision = revision
    self.answers = answers
    self.seen = seen
    self.plan = plan
  }

  package var expectedSize: Int { seen.expectedSize }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    plan?.writeMembers(to: &writer)
    writer.member("answers", answers)
    writer.member("revision", revision)
    seen.writeMembers(to: &writer)
    writer.endObject()
  }
}
