/// A step still to be made: its name, how its params are worked out, and who gets it.
public struct StepTemplate: Hashable, Sendable {
  public var step: String
  public var with: [String: Expression]
  /// nil: whoever hears what is sent there.
  public var to: Operation.Destination?

  public init(_ step: String, with: [String: Expression] = [:], to: Operation.Destination? = nil) {
    self.step = step
    self.with = with
    self.to = to
  }
}
