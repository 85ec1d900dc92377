/// A leaf: its typed params and its transition contract.
public struct ScreenDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// The steps it may emit; nil: any.
  public var emits: Set<String>?
  /// Passed through to clients untouched.
  public var meta: Value?

  public init(params: [String: ParameterDefinition] = [:], emits: Set<String>? = nil, meta: Value? = nil) {
    self.params = params
    self.emits = emits
    self.meta = meta
  }
}
