/// A named event with typed params.
public struct StepDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// Whether only the service may send the step, for example at the end of a load. It cannot be posted.
  public var isInternal: Bool
  /// Whether only operators may post the step. The root flow then receives it, even if the visible screen belongs to another flow.
  public var isOperators: Bool

  public init(params: [String: ParameterDefinition] = [:], isInternal: Bool = false, isOperators: Bool = false) {
    self.params = params
    self.isInternal = isInternal
    self.isOperators = isOperators
  }

  /// Whether a session's client may post the step.
  public var isClients: Bool { !isInternal && !isOperators }
}
