/// The actions that a session accepts in its current state.
public struct Acceptance: Hashable, Sendable {
  public var steps: [AcceptedStep]
  public var primitives: [String]
  /// The accepted gestures that would first ask a guarded node.
  public var guarded: [String]
  /// The types of the facts that the session's client may set, by name.
  public var facts: [String: String]

  package init(steps: [AcceptedStep], primitives: [String], guarded: [String] = [], facts: [String: String] = [:]) {
    self.steps = steps
    self.primitives = primitives
    self.guarded = guarded
    self.facts = facts
  }

  public struct AcceptedStep: Hashable, Sendable {
    public var step: String
    /// The types of the params by name, with `?` after an optional one.
    public var params: [String: String]

    package init(step: String, params: [String: String]) {
      self.step = step
      self.params = params
    }
  }
}
