// Modals cut the tree into layers, the root's and one a modal; a modal covers all that is not inside it.
extension State {
  func isPresented(_ record: NodeRecord) -> Bool {
    guard nodes.hasModals, let parent = record.parentID else { return false }
    return nodes.record(parent)?.presented == record.id
  }

  func isPresented(_ id: NodeID) -> Bool { nodes.record(id).map { isPresented($0) } ?? false }

  /// The root of the layer that a node is in: a presented node, or the root of all.
  func layer(of id: NodeID) -> NodeID {
    var here = id
    while let record = nodes.record(here), !isPresented(record), let parent = record.parentID { here = parent }
    return here
  }

  /// The layers in front of each other, the root's first. Of several modals over one layer the newest is in front.
  var layers: [NodeID] {
    guard nodes.hasModals else { return [root] }
    let modals = nodes.modals.map { modal in (layer: nodes.record(modal)?.parentID.map { layer(of: $0) }, modal: modal) }
    var chain = [root]
    while let front = modals.last(where: { $0.layer == chain[chain.count - 1] }) { chain.append(front.modal) }
    return chain
  }

  /// The root of what is in front of all.
  var frontLayer: NodeID { nodes.hasModals ? layers.last ?? root : root }
}

extension Run {
  /// The operation: on the handling flow, or on the screen that asks.
  mutating func present(
    _ mold: Mold, style: PresentationStyle, anchor: Operation.Anchor, replace: Bool, in performance: borrowing Performance
  ) throws(Refusal) {
    let presenter = anchored(anchor, in: performance) ?? performance.flow
    let modal = try present(mold, style: style, on: presenter, replace: replace, owner: performance.flow, scope: performance.scope)
    if anchor == .screen { state.nodes.update(modal) { $0.on = NodeRecord.number(presenter) } }
  }

  /// Makes a node and hangs it on its presenter. Gives the node.
  @discardableResult
  mutating func present(
    _ mold: Mold, style: PresentationStyle, on presenter: NodeID, replace: Bool, owner: NodeID?, scope: Scope
  ) throws(Refusal) -> NodeID {
    guard let record = state.nodes.record(presenter), state.stands(record) else {
      throw Refusal(.flowGone, "who would present it is gone")
    }
    if let modal = record.presentedID {
      guard replace else {
        throw Refusal(.alreadyPresenting, "\(name(of: presenter)) presents \(name(of: modal)) already")
      }
      remove(modal)
    }
    let id = try make(mold, owner: owner, parent: presenter, scope: scope)
    state.nodes.setPresented(id, on: presenter)
    state.nodes.update(id) {
      $0.style = style
      if style == .alert, !$0.isFlow { $0.kind = .alert }
    }
    return id
  }

  /// A handler's dismiss: what the flow's own node presents, else what its emitting screen presents, else the modal that the
  /// emitting screen is in, or where no screen speaks the flow itself: if the flow is in it too, or has presented it.
  mutating func dismiss(in flow: NodeID, emitter: NodeID?) {
    let own = state.nodes.record(flow)?.presentedID
    if let modal = own ?? emitter.flatMap({ state.nodes.record($0)?.presentedID }) { return leave(modal) }
    let speaker = emitter ?? flow
    guard state.stands(speaker) else { return reason = "nothing-presented" }
    let layer = state.layer(of: speaker)
    guard let record = state.nodes.record(layer), state.isPresented(record) else { return reason = "nothing-presented" }
    if record.ownerID == flow || state.layer(of: flow) == layer { leave(layer) } else { reason = "nothing-presented" }
  }

  /// Brings the nearest instance of a screen or flow to the top of what is visible, or refuses.
  mutating func reveal(_ what: Contribution.Target) throws(Refusal) {
    let target: NodeID
    switch what {
    case .screen(let screen):
      guard let found = state.nearest(screen) else { throw Refusal(.screenNotFound, "there is no \(screen) to go to") }
      target = found
    case .flow(let flow):
      guard let found = state.nearest(flow: flow) else { throw Refusal(.flowGone, "there is no flow \(flow) to go to") }
      target = found
    }
    // Every modal over the layers that lead to the screen goes, the newest first.
    let way = state.ancestors(of: target, acrossModals: true)
    let layers = Set(way.map { state.layer(of: $0) })
    for modal in state.nodes.modals.reversed() where !way.contains(modal) {
      guard let presenter = state.nodes.record(modal)?.parentID, layers.contains(state.layer(of: presenter)) else { continue }
      leave(modal)
    }
    for (child, container) in zip(way, way.dropFirst()) {
      guard let record = state.nodes.record(container), let index = state.nodes.children(of: record).firstIndex(of: child) else { continue }
      record.kind.container?.reveal(index, of: container, in: &self)
    }
    reason = nil
    turns.revealed = target
  }
}
