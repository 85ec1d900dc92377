/// A named event with typed params.
public struct StepDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// Whether only the service may send the step, for example at the end of a load. Clients may not post it.
  public var isInternal: Bool

  public init(params: [String: ParameterDefinition] = [:], isInternal: Bool = false) {
    self.params = params
    self.isInternal = isInternal
  }
}
