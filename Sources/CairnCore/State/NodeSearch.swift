/// Where the nearest of a name is.
enum NodeSearch {
  /// The nearest screen of a name: in the visible stack first, then the ones around it, then the other tabs in order, then anywhere. In a
  /// stack it is the instance nearest to the bottom; the highest level comes first. `nil` if there is none.
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

  /// The innermost flow of that name around the visible screen, or on a stack around it, then in the other tabs in order, then anywhere. A
  /// flow that has ended does not count.
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

  /// The living flow with this number of a name that comes first from the root on: what lies over something before what is in it, what
  /// is in front before what it covers. One that has no place, or waits for one, comes last.
  static func frontFlow(_ state: State, _ name: Int32) -> NodeID? {
    var open = [state.root]
    while let id = open.popLast() {
      guard let record = state.nodes.record(id) else { continue }
      if record.flow == name, record.isAliveFlow { return id }
      // The one that is looked at first is the last here.
      if let rules = record.rules { open += rules.childrenFromFront(of: record, in: state.nodes).reversed() }
      if let modal = record.presentedID { open.append(modal) }
      if id == state.root { open += state.nodes.levels }
    }
    return state.nodes.records.first { $0.flow == name && $0.isAliveFlow }?.nodeID
  }
}
