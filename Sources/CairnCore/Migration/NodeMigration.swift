/// Removes and replaces the nodes that have no counterpart in the new definition.
struct NodeMigration {
  private let migrator: Migrator
  /// The state before the migration.
  private let old: State
  private let stamp: Stamp

  init(_ migrator: Migrator, _ old: State, _ stamp: Stamp) {
    self.migrator = migrator
    self.old = old
    self.stamp = stamp
  }

  /// Applies the rules for the nodes, in the order of their creation: removes, pops and replaces nodes. No step is sent because of a removed node. Nodes inside
  /// a removed or replaced node are removed too, even if they have their own rule.
  func placeNodes(_ run: inout Run) throws(Refusal) {
    var leaving: [(node: Node, fate: Migration.NodeFate)] = []
    for node in old.nodes.values {
      let fate: Migration.NodeFate
      do {
        fate = try self.fate(of: node)
      } catch {
        throw Refusal(.screenNotFound, error.reason)
      }
      if case .keep = fate { continue }
      // A removed node must not have listeners if the new definition lacks its name.
      run.state.nodes.update(node.id) { $0.listen.dismissed = false }
      if node.parent == nil, node.id != old.root { end(&run, node.id) } else { leaving.append((node, fate)) }
    }
    guard !leaving.isEmpty else { return run.turns.clear() }
    let ids = Set(leaving.map { $0.node.id })
    var replaced: Set<NodeID> = []
    for (node, fate) in leaving { if case .replace = fate { replaced.insert(node.id) } }
    for (node, fate) in leaving where run.state.nodes.record(node.id) != nil && !isBelow(replaced, node, run) {
      switch fate {
      case .keep, .replace: break
      case .remove: try remove(&run, node)
      case .popTo(let screen): try pop(&run, above: screen, from: node, except: ids)
      }
    }
    for (node, fate) in leaving where fate == .remove && !isBelow(replaced, node, run) { try checkParent(run, of: node) }
    // Drops the steps that the removed nodes have queued for their flows and receivers.
    run.turns.clear()
    for (node, fate) in leaving where run.state.nodes.record(node.id) != nil {
      if case .replace(let target, let with) = fate { try replace(&run, node, target, with) }
    }
  }

  /// Whether a node is a descendant of one of `others`, or presented on one of these nodes or their descendants.
  private func isBelow(_ others: Set<NodeID>, _ node: Node, _ run: borrowing Run) -> Bool {
    var parent = node.parent
    while let here = parent {
      if others.contains(here) { return true }
      parent = run.state.nodes.record(here)?.parentID
    }
    return false
  }

  /// Ends a flow outside the tree, which has no screen and only handles the steps of removed screens.
  private func end(_ run: inout Run, _ flow: NodeID) {
    for flow in run.state.flows(from: [flow]) { Results.stop(&run, flow) }
    Removal.forgetListeners(&run)
  }

  /// The rule for a node. A `screen` flow has the rule of its screen if the flow is kept.
  private func fate(of node: Node) throws(MigrationObstacle) -> Migration.NodeFate {
    let fate = try migrator.fate(of: node)
    guard node.isLeaf, node.flow != nil, case .keep = fate, let own = migrator.migration.screens[node.name] else { return fate }
    return own
  }

  private func remove(_ run: inout Run, _ node: Node) throws(Refusal) {
    guard node.id != run.state.root else { throw Refusal(.flowGone, "the root flow \(node.name) cannot be removed, only replaced") }
    let tabs = node.parent.flatMap { run.state.nodes.record($0) }
    let index = tabs.flatMap { $0.kind == .tabs ? run.state.nodes.children(of: $0).firstIndex(of: node.id) : nil }
    Removal.remove(&run, node.id)
    // The same tab remains selected. If the selected tab was removed, the one before it is selected.
    guard let tabs, let selected = tabs.selectedIndex, let index, index <= selected else { return }
    run.state.nodes.update(tabs.nodeID) { $0.selected = Int32(clamping: max(0, selected - 1)) }
  }

  /// Throws if the removal of a node has emptied its container.
  private func checkParent(_ run: borrowing Run, of node: Node) throws(Refusal) {
    guard let id = node.parent, let parent = run.state.nodes.record(id), parent.childCount == 0, parent.kind != .oneOf,
      old.nodes.record(id)?.childCount != 0, !parent.isLeaf
    else { return }
    let name = run.state.nodes.name(of: parent)
    throw Refusal(
      .screenNotFound, "\(node.name) (\(node.id)) cannot be removed, because its \(parent.kind.rawValue) \(name) would be empty")
  }

  /// Removes all nodes above the nearest node of a screen. Searches the stack of the node, the stacks around it, and the screens below the modals
  /// around it. The nodes in `others` are skipped, because they have no counterpart in the new definition either. Throws if no node of the screen is
  /// found.
  private func pop(_ run: inout Run, above screen: String, from node: Node, except others: Set<NodeID>) throws(Refusal) {
    var here = node.id
    var modals: [NodeID] = []
    while let record = run.state.nodes.record(here), let parent = record.parentID, let container = run.state.nodes.record(parent) {
      if record.isPresented(in: run.state.nodes) {
        modals.append(here)
        // The search continues with the screen that the modal covers.
        here = run.state.end(of: parent)?.nodeID ?? parent
        guard !others.contains(here), run.state.isScreen(here, named: screen) else { continue }
        return Removal.remove(&run, modals)
      }
      let children = run.state.nodes.children(of: container)
      if container.kind == .stack, let index = children.firstIndex(of: here),
        let target = children[..<index].lastIndex(where: { !others.contains($0) && run.state.isScreen($0, named: screen) })
      {
        return Removal.remove(&run, modals + children[(target + 1)...].reversed())
      }
      here = parent
    }
    throw Refusal(.screenNotFound, "\(node.name) (\(node.id)) cannot be popped to \(screen), because no \(screen) is below it")
  }

  /// Replaces `node` by a new node. `node` is removed.
  private func replace(
    _ run: inout Run, _ node: Node, _ target: Contribution.Target, _ with: [String: Expression]
  ) throws(Refusal) {
    let params = migrator.values(of: with, node.params, old, stamp).filter { $0.value != .null }
    let template = template(run, target, params, isRoot: node.id == run.state.root)
    guard let parent = node.parent, let before = run.state.nodes.record(node.id) else {
      guard case .flow = target else { throw Refusal(.flowGone, "the root \(node.name) can only be replaced by a flow") }
      return try replaceRoot(&run, node, template)
    }
    let siblings = run.state.nodes.children(of: parent)
    let selected = run.state.nodes.record(parent)?.selectedIndex
    let owner = before.ownerID.flatMap { run.state.isAlive(flow: $0) ? $0 : nil } ?? run.state.root
    Removal.remove(&run, node.id)
    run.turns.clear()
    let id = try Making.make(&run, template, owner: owner, parent: parent, scope: Scope())
    if let style = before.style { Modals.dress(&run, id, style) }
    if let slot = node.slot {
      Overlays.put(&run, id, in: slot, waits: node.waits)
    } else if before.level != 0 {
      run.state.nodes.setLevel(before.level, waits: node.waits, of: id)
    } else if before.style != nil {
      run.state.nodes.setPresented(id, on: parent)
      run.state.nodes.update(id) { $0.on = before.on }
    } else {
      run.state.nodes.update(id) { $0.isOpened = before.isOpened }
      try Children.hang(&run, id, in: parent)
      do {
        try run.state.nodes.move(siblings.map { $0 == node.id ? id : $0 }, to: parent)
      } catch {
        throw Refusal(error, below: Children.name(run, of: parent))
      }
      if let selected { run.state.nodes.update(parent) { $0.selected = Int32(clamping: selected) } }
    }
    run.turns.finish()
  }

  private func replaceRoot(_ run: inout Run, _ node: Node, _ template: NodeTemplate) throws(Refusal) {
    for modal in run.state.nodes.levels + run.state.nodes.overlays + run.state.nodes.waiting { Removal.remove(&run, modal) }
    Removal.remove(&run, node.id)
    run.turns.clear()
    run.state.root = try Making.make(&run, template, owner: nil, parent: nil, scope: Scope())
    run.turns.finish()
  }

  /// The template of a new node. If the root flow of the new definition replaces the root, this is the definition's own template, which
  /// also has the start steps.
  private func template(_ run: borrowing Run, _ target: Contribution.Target, _ params: [String: Value], isRoot: Bool) -> NodeTemplate {
    if isRoot, target == run.definition.root.target { return run.program.root }
    switch target {
    case .screen(let name): return run.program.compile(screen: name, params: params)
    case .flow(let name):
      let with = Recipe(params.mapValues { Expression.literal($0) })
      return NodeTemplate(target: run.program.names.number(name).map { NodeTemplate.Target.flow($0) } ?? .missing(name), with: with)
    }
  }
}
