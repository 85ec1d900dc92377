// Modals divide the tree into layers: the layer of the root, and one layer per modal. A modal covers everything outside it.
extension NodeRecord {
  /// Whether the node is a modal: its parent presents it, or it is on a level.
  func isPresented(in nodes: NodeTable) -> Bool {
    guard nodes.hasModals, let parent = parentID else { return false }
    return level != 0 || nodes.record(parent)?.presented == id
  }
}

extension State {
  func isPresented(_ id: NodeID) -> Bool { nodes.record(id)?.isPresented(in: nodes) ?? false }

  /// Returns the root of the layer that contains a node: a presented node or the root of the tree.
  func layer(of id: NodeID) -> NodeID {
    var here = id
    while let record = nodes.record(here), !record.isPresented(in: nodes), let parent = record.parentID { here = parent }
    return here
  }

  /// The visible layers from back to front: the root's first, then those of each level, the lowest first. If one layer has several modals, the
  /// newest is in front.
  var layers: [NodeID] {
    guard nodes.hasModals else { return [root] }
    var layers: [NodeID] = []
    for window in [root] + nodes.levels {
      var front: NodeID? = window
      while let layer = front {
        layers.append(layer)
        front = modal(over: layer)
      }
    }
    return layers
  }

  /// The newest modal that a node of a layer presents; `nil` if there is none.
  private func modal(over layer: NodeID) -> NodeID? {
    nodes.modals.last { modal in nodes.record(modal)?.parentID.map { self.layer(of: $0) } == layer }
  }

  /// The root of the frontmost layer.
  var frontLayer: NodeID { nodes.hasModals ? frontLayer(over: nodes.levels.last ?? root) : root }

  /// The root of the frontmost layer of one window.
  func frontLayer(over window: NodeID) -> NodeID {
    var front = window
    while let modal = modal(over: front) { front = modal }
    return front
  }
}

/// Presents and dismisses modals, and brings nodes to the front.
enum Modals {
  /// The modals that contain a node, the innermost first.
  private static func modals(around id: NodeID, in state: State) -> [NodeID] {
    var around: [NodeID] = []
    var here = state.stands(id) ? state.nodes.record(state.layer(of: id)) : nil
    while let modal = here, modal.isPresented(in: state.nodes) {
      around.append(modal.nodeID)
      here = modal.level == 0 ? modal.parentID.flatMap { state.nodes.record(state.layer(of: $0)) } : nil
    }
    return around
  }

  /// Performs the operation `present`, on the handling flow or on the sending screen.
  static func present(
    _ run: inout Run, _ template: NodeTemplate, style: PresentationStyle, anchor: Operation.Anchor, replace: Bool, level: Operation.Level?,
    in context: borrowing InstructionContext
  ) throws(Refusal) {
    if let level { return try Levels.present(&run, template, level, style: style, replace: replace, in: context) }
    var presenter = Flows.anchored(run, anchor, in: context) ?? context.flow
    // An overlay cannot present a modal, so the handling flow presents it.
    if run.state.nodes.record(presenter)?.isOverlay == true { presenter = context.flow }
    let modal = try present(
      &run, template, style: style, on: presenter, replace: replace, owner: context.flow, scope: context.scope)
    if anchor == .screen { run.state.nodes.update(modal) { $0.on = NodeRecord.number(presenter) } }
  }

  /// Creates a node, presents it on its presenter, and returns its id. Throws if the presenter is not in the tree, or if it already presents a modal
  /// and `replace` is false.
  @discardableResult
  static func present(
    _ run: inout Run, _ template: NodeTemplate, style: PresentationStyle, on presenter: NodeID, replace: Bool, owner: NodeID?, scope: Scope
  ) throws(Refusal) -> NodeID {
    guard let record = run.state.nodes.record(presenter), run.state.stands(record) else {
      throw Refusal(.flowGone, "the node that would present the modal no longer exists")
    }
    if let modal = record.presentedID {
      guard replace else {
        throw Refusal(.alreadyPresenting, "\(Children.name(run, of: presenter)) already presents \(Children.name(run, of: modal))")
      }
      Removal.remove(&run, modal)
    }
    let id = try Making.make(&run, template, owner: owner, parent: presenter, scope: scope)
    run.state.nodes.setPresented(id, on: presenter)
    dress(&run, id, style)
    return id
  }

  /// Sets the style of a presented node.
  static func dress(_ run: inout Run, _ id: NodeID, _ style: PresentationStyle) {
    run.state.nodes.update(id) {
      $0.style = style
      if style == .alert, !$0.isFlow { $0.kind = .alert }
    }
  }

  /// Performs the operation `dismiss` without a name. Closes the first of these modals that exists:
  ///
  ///  1. the modal that contains the sender, if `flow` has presented it;
  ///  2. an ended flow that `flow` has presented on a level;
  ///  3. the modal on the node of `flow`;
  ///  4. the modal on the sending screen;
  ///  5. the innermost modal around the sender, if `flow` is in the same layer.
  ///
  /// The sender is the sending screen or, if no screen sent the step, `flow`. Any other modal on a level is closed only by its name.
  /// Returns `nothing-presented` if no modal is closed.
  static func dismiss(_ run: inout Run, in flow: NodeID, emitter: NodeID?) -> NoChange? {
    if let modal = modal(run, around: emitter ?? flow, presentedBy: flow) ?? endedOnLevel(run, presentedBy: flow) {
      Removal.leave(&run, modal)
      return nil
    }
    let own = run.state.nodes.record(flow)?.presentedID
    if let modal = own ?? emitter.flatMap({ run.state.nodes.record($0)?.presentedID }) {
      Removal.leave(&run, modal)
      return nil
    }
    let speaker = emitter ?? flow
    guard run.state.stands(speaker) else { return .nothingPresented }
    let layer = run.state.layer(of: speaker)
    guard let record = run.state.nodes.record(layer), record.isPresented(in: run.state.nodes) else { return .nothingPresented }
    guard run.state.layer(of: flow) == layer else { return .nothingPresented }
    Removal.leave(&run, layer)
    return nil
  }

  /// The innermost modal around the sender that the flow has presented; `nil` if there is none. On a level, all modals around the sender are considered; below
  /// the levels, only the innermost one, because the sender must not close the modals under it.
  private static func modal(_ run: borrowing Run, around speaker: NodeID, presentedBy flow: NodeID) -> NodeID? {
    guard run.state.nodes.hasModals else { return nil }
    let around = modals(around: speaker, in: run.state)
    let isOnLevel = around.last.flatMap { run.state.nodes.record($0) }.map { $0.level != 0 } ?? false
    return around.prefix(isOnLevel ? around.count : 1).first { run.state.nodes.record($0)?.ownerID == flow }
  }

  /// The ended flow that `flow` has presented on a level; `nil` if there is none. Of several, returns the one on the highest level or, if
  /// none is on a level yet, the one that has waited longest. The last step of an ended flow has no sending screen, so this modal is not
  /// found around the sender.
  private static func endedOnLevel(_ run: borrowing Run, presentedBy flow: NodeID) -> NodeID? {
    guard run.state.nodes.hasLevels else { return nil }
    return (run.state.nodes.levels.reversed() + run.state.nodes.waiting).first { id in
      run.state.nodes.record(id).map { $0.isEnded && $0.ownerID == flow } ?? false
    }
  }

  /// Performs the operation `dismiss` with a place. Closes the nearest modal at the place that `flow` has presented. If there is none,
  /// closes the oldest waiting modal that matches the place and belongs to `flow`. Returns `nothing-presented` if no modal is closed.
  static func dismiss(_ run: inout Run, _ place: Place, in flow: NodeID, scope: Scope) -> NoChange? {
    guard run.state.nodes.hasModals else { return .nothingPresented }
    let search = PlaceSearch(place, in: scope, run.state, by: run.evaluator)
    let nodes = run.state.nodes
    var modal = search.nearest(from: run.state.speaker(scope.emitter)) { $0.ownerID == flow && $0.isPresented(in: nodes) }
    for id in nodes.waiting where modal == nil {
      if let record = nodes.record(id), record.ownerID == flow, search.matches(record) { modal = id }
    }
    guard let modal else { return .nothingPresented }
    Removal.leave(&run, modal)
    return nil
  }

  /// Performs the operation `remove` on a modal. A modal over the removed one is kept: the presenter of the removed modal presents it
  /// instead. If flows are removed that own nodes of the kept modal, their nearest remaining parent flow owns these nodes.
  static func removeAlone(_ run: inout Run, _ modal: NodeID) {
    guard let record = run.state.nodes.record(modal), let presenter = record.parentID, let next = frontModal(over: modal, in: run.state),
      let cover = run.state.nodes.record(next), let covered = cover.parentID
    else { return Removal.leave(&run, modal) }
    run.state.nodes.setPresented(nil, on: covered)
    let gone = Set(run.state.subtree(of: modal))
    var heir = record.ownerID
    while let flow = heir, gone.contains(flow) || !run.state.isAlive(flow: flow) { heir = Flows.parent(run, of: flow) }
    for id in run.state.subtree(of: next) {
      guard let record = run.state.nodes.record(id), let owner = record.ownerID, gone.contains(owner) else { continue }
      run.state.nodes.setFlow(record.flow, owner: heir ?? run.state.root, of: id)
    }
    run.state.nodes.update(next) {
      $0.parent = NodeRecord.number(presenter)
      if $0.on != 0 { $0.on = $0.parent }
    }
    Removal.leave(&run, modal)
    if record.level == 0 {
      run.state.nodes.setPresented(next, on: presenter)
    } else {
      run.state.nodes.setLevel(record.level, waits: false, of: next)
    }
  }

  /// The modal that a node inside this modal presents; `nil` if there is none. If there are several, returns the newest, because it is in
  /// front.
  private static func frontModal(over modal: NodeID, in state: State) -> NodeID? {
    for id in state.nodes.modals.reversed() {
      if let presenter = state.nodes.record(id)?.parentID, state.layer(of: presenter) == modal { return id }
    }
    return nil
  }

  /// The modals that cover a node within its window, the newest first: those over the layers that contain the node.
  static func modals(over node: NodeID, in state: State) -> [NodeID] {
    guard state.nodes.hasModals else { return [] }
    let way = state.ancestors(of: node, acrossModals: true)
    let layers = Set(way.map { state.layer(of: $0) })
    return state.nodes.modals.reversed().filter { modal in
      guard !way.contains(modal), let presenter = state.nodes.record(modal)?.parentID else { return false }
      return layers.contains(state.layer(of: presenter))
    }
  }

  /// Brings the nearest node at a place to the front. Throws `screen-not-found` or `flow-gone` if no such node is in the tree.
  static func reveal(_ run: inout Run, _ place: Place, in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    let search = PlaceSearch(place, in: context.scope, run.state, by: run.evaluator)
    let isScreen = place.kind == .screen
    guard
      let target = search.nearest(from: run.state.speaker(context.scope.emitter), where: { isScreen && !$0.isOverlay || $0.isAliveFlow })
    else {
      let code: Refusal.Code = place.kind == .screen ? .screenNotFound : .flowGone
      throw Refusal(code, "the \(place.kind.rawValue) \(place.name) is not in the tree, so it cannot be revealed")
    }
    // Modals on levels are kept, although they still cover the node.
    for modal in modals(over: target, in: run.state) where run.state.stands(modal) { Removal.leave(&run, modal) }
    let way = run.state.ancestors(of: target, acrossModals: true)
    for (child, container) in zip(way, way.dropFirst()) {
      guard let record = run.state.nodes.record(container), let child = run.state.nodes.record(child), record.presented != child.id else {
        continue
      }
      record.rules?.reveal(child, of: record, in: &run)
    }
    run.turns.revealed = target
    run.linked?.node = target
    // The revealed node exists, so no specific reason is reported if nothing has changed.
    return .unexplained
  }
}
