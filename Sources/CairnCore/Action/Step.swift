/// A named event with its params, which a flow handles.
public struct Step: Hashable, Sendable {
  public var step: String
  public var params: [String: Value]

  public init(_ step: String, params: [String: Value] = [:]) {
    self.step = step
    self.params = params
  }
}
