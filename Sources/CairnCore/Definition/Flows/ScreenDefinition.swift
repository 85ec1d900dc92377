/// A screen: its typed params and its contract.
public struct ScreenDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// The steps that the screen may emit; `nil` for all steps.
  public var emits: Set<String>?
  /// Metadata for clients, which the engine ignores.
  public var meta: Value?

  public init(params: [String: ParameterDefinition] = [:], emits: Set<String>? = nil, meta: Value? = nil) {
    self.params = params
    self.emits = emits
    self.meta = meta
  }
}
