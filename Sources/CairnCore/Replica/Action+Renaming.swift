extension Action {
  /// The action with the new ids of the nodes that it names.
  func renaming(_ renamed: [NodeID: NodeID]) -> Action {
    guard !renamed.isEmpty else { return self }
    func new(_ node: NodeID?) -> NodeID? { node.map { renamed[$0] ?? $0 } }
    return switch self {
    case .step(let step, let from): .step(step, from: new(from))
    case .pop(let count, let node): .pop(count: count, node: new(node))
    case .popTo(.node(let node)): .popTo(.node(renamed[node] ?? node))
    case .dismiss(let node): .dismiss(node: new(node))
    case .select(let selection, let node): .select(selection, node: new(node))
    case .present(let route, let style, let node, let replace): .present(route, style: style, node: new(node), replace: replace)
    case .remove(let node): .remove(node: renamed[node] ?? node)
    default: self
    }
  }
}
