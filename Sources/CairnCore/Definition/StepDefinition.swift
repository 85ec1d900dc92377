/// A named intention with typed params.
public struct StepDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// Refused when posted from outside: a load that came in, a timer.
  public var isInternal: Bool

  public init(params: [String: ParameterDefinition] = [:], isInternal: Bool = false) {
    self.params = params
    self.isInternal = isInternal
  }
}
