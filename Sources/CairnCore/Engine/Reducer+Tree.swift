extension Reducer {
  /// The tree as clients see it.
  public func tree(of state: State) -> Tree { program.tree(of: state.root, in: state) }

  /// The visible routes from the root to the leaf, including modals.
  public func routes(of state: State) -> [RouteEntry] { program.routes(of: state) }

  /// The route of the visible screen; `nil` if nothing is visible. In a split, it is the screen in front.
  public func visible(in state: State) -> RouteEntry? {
    guard let visible = state.visibleRecord?.nodeID else { return nil }
    return program.routes(of: state).last { $0.id == visible }
  }
}

extension Program {
  /// A node with all its descendants.
  func tree(of id: NodeID, in state: State) -> Tree {
    guard let record = state.nodes.record(id) else { return Tree(id: id, kind: .screen, name: "") }
    let name = state.nodes.name(of: record)
    let flow = state.nodes.flow(of: record)
    var tree = Tree(id: id, kind: record.kind, name: name)
    if record.isLeaf {
      tree.flow = flow
    } else {
      tree.children = state.nodes.children(of: record).map { self.tree(of: $0, in: state) }
    }
    if let details = state.nodes.storedDetails(of: record) {
      tree.params = details.params.isEmpty ? nil : details.params
      tree.facts = details.facts.isEmpty ? nil : details.facts
      tree.content = details.content
    }
    tree.selected = record.selectedIndex
    tree.presented = record.presentedID.map { self.tree(of: $0, in: state) }
    if id == state.root, !state.nodes.levels.isEmpty { tree.levels = state.nodes.levels.map { self.tree(of: $0, in: state) } }
    if id == state.root, !state.nodes.overlays.isEmpty { tree.overlays = state.nodes.overlays.map { self.tree(of: $0, in: state) } }
    tree.style = record.style
    tree.level = record.shownLevel
    tree.slot = record.isOverlay ? state.nodes.details(of: record).slot : nil
    tree.on = record.onID
    tree.order = record.shownOrder
    tree.flags = record.flags.intersection(.allShown)
    tree.meta = meta(of: record, in: state.nodes)
    return tree
  }

  /// The visible routes from the root to the leaf, including modals.
  func routes(of state: State) -> [RouteEntry] {
    var routes: [RouteEntry] = []
    for (index, layer) in state.layers.enumerated() {
      let first = routes.count
      appendRoutes(below: layer, in: state, to: &routes)
      if index > 0, first < routes.count { routes[first].presented = true }
    }
    return routes
  }

  private func appendRoutes(below id: NodeID, in state: State, to routes: inout [RouteEntry]) {
    guard let record = state.nodes.record(id) else { return }
    guard let rules = record.rules else {
      let params = state.nodes.storedDetails(of: record)?.params ?? [:]
      let flow = record.handlingFlow.flatMap { state.flowName(of: $0) }
      routes.append(RouteEntry(id: id, screen: state.nodes.name(of: record), params: params.isEmpty ? nil : params, flow: flow))
      return
    }
    if rules.isRouteOfAllChildren {
      Siblings.forEach(below: record, in: state.nodes) { appendRoutes(below: $0.nodeID, in: state, to: &routes) }
    } else if let front = state.front(of: record) {
      appendRoutes(below: front, in: state, to: &routes)
    }
  }
}
