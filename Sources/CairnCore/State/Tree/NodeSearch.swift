/// Finds the nearest node with a given name.
enum NodeSearch {
  /// Returns the nearest screen of that name; `nil` if there is none. Searches the visible stack first, then the stacks around it, then the
  /// other tabs in order, then the whole tree. Higher levels are searched before lower ones. In a stack, the instance nearest to the bottom is
  /// returned.
  static func nearest(_ state: State, _ screen: String) -> NodeID? {
    if state.nodes.hasModals {
      for window in state.nodes.levels.reversed() {
        if let found = nearest(state, screen, from: state.end(of: state.frontLayer(over: window))?.nodeID ?? window) { return found }
      }
    }
    return nearest(state, screen, from: state.end(of: state.frontLayer(over: state.root))?.nodeID ?? state.root)
      ?? state.subtree(of: state.root).first { state.isScreen($0, named: screen) }
  }

  private static func nearest(_ state: State, _ screen: String, from id: NodeID) -> NodeID? {
    let around = state.ancestors(of: id, acrossModals: true)
    for container in around where state.nodes.record(container)?.rules?.search == .children {
      if let found = state.nodes.children(of: container).first(where: { state.isScreen($0, named: screen) }) { return found }
    }
    for container in around where state.nodes.record(container)?.rules?.search == .subtrees {
      for child in state.nodes.children(of: container) {
        if let found = state.subtree(of: child).first(where: { state.isScreen($0, named: screen) }) { return found }
      }
    }
    return nil
  }

  /// Returns the nearest flow of that name that has not ended; `nil` if there is none. Searches the flows around the visible screen and on the stacks around it
  /// from the inside out, then the other tabs in order, then the whole tree.
  static func nearest(_ state: State, flow name: String) -> NodeID? {
    guard state.nodes.isAlive(flow: name) else { return nil }
    func isMeant(_ id: NodeID) -> Bool {
      state.nodes.record(id).map { $0.isAliveFlow && state.nodes.flow(of: $0).isExactly(name) } ?? false
    }
    let around = state.ancestors(of: state.visibleEnd?.nodeID ?? state.root, acrossModals: true)
    for container in around {
      if isMeant(container) { return container }
      guard state.nodes.record(container)?.rules?.search == .children else { continue }
      if let found = state.nodes.children(of: container).first(where: isMeant) { return found }
    }
    for container in around where state.nodes.record(container)?.rules?.search == .subtrees {
      for child in state.nodes.children(of: container) {
        if let found = state.subtree(of: child).first(where: isMeant) { return found }
      }
    }
    return state.subtree(of: state.root).first(where: isMeant)
  }

  /// Returns the frontmost flow with this name's number that has not ended; `nil` if there is none. A modal precedes its presenter, and a visible child
  /// precedes those that it covers. Flows outside the tree, and those that wait for their level, are last.
  static func frontFlow(_ state: State, _ name: Int32) -> NodeID? {
    var open = [state.root]
    while let id = open.popLast() {
      guard let record = state.nodes.record(id) else { continue }
      if record.flow == name, record.isAliveFlow { return id }
      // `popLast` returns the last element, so the front must be at the end.
      if let rules = record.rules { open += rules.childrenFromFront(of: record, in: state.nodes).reversed() }
      if let modal = record.presentedID { open.append(modal) }
      if id == state.root { open += state.nodes.levels }
    }
    return state.nodes.records.first { $0.flow == name && $0.isAliveFlow }?.nodeID
  }
}
