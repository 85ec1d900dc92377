/// The actions that may be posted now.
public struct Acceptance: Hashable, Sendable {
  public var steps: [AcceptedStep]
  public var primitives: [String]
  /// The gestures of `primitives` that a guard would stop now, if they were posted without a count or a name.
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
