/// A difference between two definitions of an app.
package struct DefinitionChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable { case added, removed, changed }

  /// The part of the definition. The cases have the order in which changes are listed.
  package enum Subject: String, Hashable, Sendable, CaseIterable {
    case setting, screen, flow, step, fact, rule, link
  }

  /// The consequence for a running session that moves to the new definition.
  package enum Effect: String, Hashable, Sendable, CaseIterable {
    /// Nothing.
    case none
    /// It behaves differently from its next action on.
    case behavior
    /// It contains something that has no place in the new definition, so a migration must say what becomes of it.
    case migration
  }

  package var kind: Kind
  package var subject: Subject
  /// The name of the part; of a param it is `SCREEN.PARAM` or `STEP.PARAM`, of a rule or link its number in the file, from 1.
  package var name: String
  /// The difference, such as `container stack, was tabs`; empty if the whole part differs.
  package var text: String
  package var effect: Effect
  /// The consequence as a sentence without a full stop.
  package var consequence: String
  /// The param, if the change is one of a param of a screen or step.
  package var param: String?
  /// The probable new name of a removed part or param.
  package var successor: String?
  /// The places in both files; `nil` where the part is not there.
  package var old, new: Position?
}
