extension Reducer {
  /// The tree as a client sees it.
  public func tree(of state: State) -> Tree { tree(of: state.root, in: state) }

  func tree(of id: NodeID, in state: State) -> Tree {
    guard let node = state[id] else { return Tree(id: id, kind: .screen, name: "") }
    var tree = Tree(id: id, kind: node.kind, name: node.name)
    if node.isLeaf {
      tree.flow = node.flow
    } else {
      tree.children = node.children.map { self.tree(of: $0, in: state) }
    }
    tree.params = node.params.isEmpty ? nil : node.params
    tree.selected = node.selected
    tree.presented = node.presented.map { self.tree(of: $0, in: state) }
    tree.style = node.style
    tree.on = node.on
    tree.content = node.content
    tree.ended = node.ended ? true : nil
    tree.meta = node.flow.flatMap { definition.flows[$0]?.meta } ?? (node.isLeaf ? definition.screens[node.name]?.meta : nil)
    return tree
  }

  /// The visible routes from the root to the leaf, modals included.
  public func routes(of state: State) -> [RouteEntry] {
    state.layers.enumerated().flatMap { index, layer in
      var entries = routes(below: layer, in: state)
      if index > 0, !entries.isEmpty { entries[0].presented = true }
      return entries
    }
  }

  private func routes(below id: NodeID, in state: State) -> [RouteEntry] {
    guard let node = state[id] else { return [] }
    switch node.kind {
    case .screen, .alert:
      let flow = state.hearer(of: node).flatMap { state[$0]?.flow }
      return [RouteEntry(id: id, screen: node.name, params: node.params.isEmpty ? nil : node.params, flow: flow)]
    case .stack, .split: return node.children.flatMap { routes(below: $0, in: state) }
    case .tabs, .oneOf: return node.front.map { routes(below: $0, in: state) } ?? []
    }
  }
}
