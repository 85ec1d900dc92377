extension Action {
  /// Returns the action with the new ids of the nodes that it names.
  package func renaming(_ renamed: [NodeID: NodeID]) -> Action {
    guard !renamed.isEmpty else { return self }
    func new(_ node: NodeID?) -> NodeID? { node.map { renamed[$0] ?? $0 } }
    return switch self {
    case .step(let step, let from): .step(step, from: new(from))
    case .gesture(let gesture, let from): .gesture(gesture.mappingNodes { renamed[$0] ?? $0 }, from: new(from))
    case .present(let route, let style, let node, let replace): .present(route, style: style, node: new(node), replace: replace)
    case .remove(let node): .remove(node: renamed[node] ?? node)
    case .tick(let node, let step, let tick): .tick(node: renamed[node] ?? node, send: step, tick: tick)
    default: self
    }
  }
}
