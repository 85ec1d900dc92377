/// A screen: its typed params and its contract.
public struct ScreenDefinition: Hashable, Sendable {
  public var params: [String: ParameterDefinition]
  /// The steps that the screen may emit; `nil` for all steps.
  public var emits: Set<String>?
  /// The steps that a node of the screen sends when the user sees it or no longer sees it, unless the node has its own. `removed` is always `nil`.
  public var steps: NodeSteps
  /// Metadata for clients, which the engine ignores.
  public var meta: Value?

  public init(params: [String: ParameterDefinition] = [:], emits: Set<String>? = nil, steps: NodeSteps = .init(), meta: Value? = nil) {
    self.params = params
    self.emits = emits
    self.steps = steps
    self.meta = meta
  }
}
