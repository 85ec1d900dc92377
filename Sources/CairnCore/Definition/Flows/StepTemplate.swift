/// A template of a step: its name, the expressions of its params, and its receiver. It is evaluated when the step is sent.
public struct StepTemplate: Hashable, Sendable {
  public var step: String
  public var with: [String: Expression]
  /// The receiver; `nil` for the flow that handles the sender's steps.
  public var to: Operation.Destination?
  /// Whether a value in `with` may come from a fact that an earlier definition hid from clients. Only nodes of a migrated session have such
  /// a step.
  var hidesValues = false

  public init(_ step: String, with: [String: Expression] = [:], to: Operation.Destination? = nil) {
    self.step = step
    self.with = with
    self.to = to
  }
}
