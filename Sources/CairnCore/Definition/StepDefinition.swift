/// A named intent with typed params.
public struct StepDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// Whether clients cannot post the step, because only loads and timers send it.
  public var isInternal: Bool

  public init(params: [String: ParameterDefinition] = [:], isInternal: Bool = false) {
    self.params = params
    self.isInternal = isInternal
  }
}
