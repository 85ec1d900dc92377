/// The actions that may be posted now.
public struct Acceptance: Hashable, Sendable {
  public var steps: [AcceptedStep]
  public var primitives: [String]
  /// Of the primitives the gestures that are not made at once, as they stand: what they would take away is asked first.
  public var guarded: [String]
  /// The facts that the session's client may set: type by name.
  public var facts: [String: String]

  package init(steps: [AcceptedStep], primitives: [String], guarded: [String] = [], facts: [String: String] = [:]) {
    self.steps = steps
    self.primitives = primitives
    self.guarded = guarded
    self.facts = facts
  }

  public struct AcceptedStep: Hashable, Sendable {
    public var step: String
    /// Type by name, with `?` behind an optional one.
    public var params: [String: String]

    package init(step: String, params: [String: String]) {
      self.step = step
      self.params = params
    }
  }
}
