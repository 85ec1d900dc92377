/// A difference between two definitions of an app.
package struct DefinitionChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable { case added, removed, changed }

  /// The part of the definition. Changes are listed in the order of the cases.
  package enum Subject: String, Hashable, Sendable, CaseIterable {
    case setting, screen, flow, step, fact, rule, link
  }

  /// The consequence for a running session that moves to the new definition.
  package enum Effect: String, Hashable, Sendable, CaseIterable {
    /// The session does not change.
    case none
    /// The session behaves differently from its next action on.
    case behavior
    /// The session may contain a part without a counterpart in the new definition, so a migration must define the result.
    case migration
  }

  package var kind: Kind
  package var subject: Subject
  /// The name of the part: for a param `SCREEN.PARAM`, `FLOW.PARAM` or `STEP.PARAM`, for a rule or link its number in the file, from 1.
  package var name: String
  /// The difference, such as `container stack, was tabs`; empty if the whole part differs.
  package var text: String
  package var effect: Effect
  /// The consequence as a sentence without a full stop.
  package var consequence: String
  /// The name of the param, if the change concerns a param of a screen, flow or step; otherwise `nil`.
  package var param: String?
  /// The probable new name of a removed part or param; `nil` if there is none.
  package var successor: String?
  /// The positions in both files; `nil` for a file that does not contain the part.
  package var old, new: Position?
}
