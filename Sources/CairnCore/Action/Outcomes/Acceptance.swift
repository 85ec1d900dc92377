/// The actions that may be posted now.
public struct Acceptance: Hashable, Sendable {
  public var steps: [AcceptedStep]
  public var primitives: [String]
  /// The gestures among `primitives` that run a guard first, because they would dismiss a guarded node.
  public var guarded: [String]
  /// The types of the facts that the session's client may set, by the facts' names.
  public var facts: [String: String]

  package init(steps: [AcceptedStep], primitives: [String], guarded: [String] = [], facts: [String: String] = [:]) {
    self.steps = steps
    self.primitives = primitives
    self.guarded = guarded
    self.facts = facts
  }

  public struct AcceptedStep: Hashable, Sendable {
    public var step: String
    /// The types of the params, by the params' names. The type of a param that may be omitted ends in `?`.
    public var params: [String: String]

    package init(step: String, params: [String: String]) {
      self.step = step
      self.params = params
    }
  }
}
