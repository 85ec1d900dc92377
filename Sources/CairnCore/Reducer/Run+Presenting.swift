// Modals, and bringing a screen to the front.
extension Run {
  mutating func present(
    _ contribution: Contribution, style: PresentationStyle, on presenter: NodeID, replace: Bool, owner: NodeID?, scope: Scope
  ) throws(Refusal) {
    guard state[presenter] != nil else { throw Refusal(.flowGone, "who would present it is gone") }
    if let modal = state[presenter]?.presented {
      guard replace else {
        throw Refusal(.alreadyPresenting, "\(state[presenter]?.name ?? "") presents \(state[modal]?.name ?? "") already")
      }
      remove([modal])
    }
    let id = try make(contribution, owner: owner, parent: presenter, scope: scope)
    state[presenter]?.presented = id
    state[id]?.style = style
    if style == .alert, state[id]?.flow == nil { state[id]?.kind = .alert }
  }

  /// A handler's dismiss: what the flow's own node presents, else what its emitting screen presents, else the modal that the
  /// emitting screen is in, if this flow presented it.
  mutating func dismiss(in flow: NodeID, emitter: NodeID?) {
    if let modal = state[flow]?.presented ?? emitter.flatMap({ state[$0]?.presented }) { return leave(modal) }
    if let emitter, state[emitter] != nil {
      let layer = state.layer(of: emitter)
      if state.isPresented(layer), state[layer]?.owner == flow { return leave(layer) }
    }
    reason = "nothing-presented"
  }

  /// Brings the nearest instance of a screen to the top of what is visible, or refuses.
  mutating func reveal(_ screen: String) throws(Refusal) {
    let target = try find(screen)
    // Every modal over the layers that lead to the screen goes.
    let way = state.ancestors(of: target, acrossModals: true)
    let layers = Set(way.map(state.layer(of:)))
    let inTheWay = state.nodes.values.compactMap { node in node.presented.map { (presenter: node.id, modal: $0) } }
    for (presenter, modal) in inTheWay.sorted(by: { $0.modal > $1.modal })
    where state[modal] != nil && layers.contains(state.layer(of: presenter)) && !way.contains(modal) {
      leave(modal)
    }
    for (child, container) in zip(way, way.dropFirst()) {
      guard let node = state[container], let index = node.children.firstIndex(of: child) else { continue }
      switch node.kind {
      case .stack: keep(index + 1, on: container)
      case .tabs: select(index, in: container)
      case .split, .oneOf, .screen, .alert: break
      }
    }
    reason = nil
    turn.revealed = target
  }

  /// The visible stack first, then the ones around it, then the other tabs in order, then anywhere; in a stack the instance
  /// nearest to the bottom.
  func find(_ screen: String) throws(Refusal) -> NodeID {
    let around = state.ancestors(of: state.visiblePath.last ?? state.root, acrossModals: true)
    for container in around where state[container]?.kind == .stack {
      if let found = state[container]?.children.first(where: { state[$0]?.name == screen }) { return found }
    }
    for container in around where state[container]?.kind == .tabs {
      for child in state[container]?.children ?? [] {
        if let found = state.subtree(of: child).first(where: { isLeaf($0, named: screen) }) { return found }
      }
    }
    if let found = state.subtree(of: state.root).first(where: { isLeaf($0, named: screen) }) { return found }
    throw Refusal(.screenNotFound, "there is no \(screen) to go to")
  }

  private func isLeaf(_ id: NodeID, named screen: String) -> Bool {
    guard let node = state[id] else { return false }
    return node.isLeaf && node.name == screen
  }
}
