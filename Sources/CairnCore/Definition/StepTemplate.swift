/// A step still to be made: its name and how its params are worked out.
public struct StepTemplate: Hashable, Sendable, Codable {
  public var step: String
  public var with: [String: Expression]

  public init(_ step: String, with: [String: Expression] = [:]) {
    self.step = step
    self.with = with
  }
}
