/// The layout of collapsed splits. While the condition `collapse` of a split is true, the split is laid out as a stack: the master's nodes
/// with the opened detail on top. All rules of stacks then apply to it.
enum Collapsing {
  /// Returns the record of the flow's own node. Throws `no-stack` if the node is neither a split nor a collapsed split.
  static func split(_ run: borrowing Run, of flow: NodeID) throws(Refusal) -> NodeRecord {
    guard let record = run.state.nodes.record(flow), record.kind == .split || record.isCollapsed else {
      throw Refusal(.noStack, "the flow \(Children.name(run, of: flow)) is not a split container")
    }
    return record
  }

  /// Changes the layout of each split whose condition reads a written fact and now has another result.
  static func layOutSplits(_ run: inout Run, naming written: Set<String>) {
    for collapse in run.program.collapses where !collapse.facts.isDisjoint(with: written) {
      let isCollapsed = run.holds(collapse.when, in: Scope())
      let others = run.state.nodes.records.filter {
        $0.flow == collapse.flow && $0.isCollapsed != isCollapsed && ($0.kind == .split || $0.isCollapsed) && run.state.stands($0)
      }
      for split in others.map({ $0.nodeID }) { layOut(&run, split, isCollapsed: isCollapsed) }
    }
  }

  /// Changes the layout of one split. If the nodes cannot be moved to the new layout, the split does not change.
  static func layOut(_ run: inout Run, _ split: NodeID, isCollapsed: Bool) {
    let before = run.state
    do {
      if isCollapsed { try fold(&run, split) } else { try unfold(&run, split) }
    } catch {
      run.undo(to: before)
    }
  }

  /// Collapses a split. Removes the master's pane with its effects. Also removes the detail if no step opened it and it is not in use. All other nodes keep
  /// their ids. Throws if the nodes cannot be moved.
  private static func fold(_ run: inout Run, _ split: NodeID) throws(NodeTable.Misplacement) {
    let panes = run.state.nodes.children(of: split)
    markAsStack(&run, split)
    guard let pane = panes.first else { return }
    if panes.count > 1, let detail = run.state.nodes.record(panes[1]), !detail.isOpened {
      if isInUse(run, panes[1]) { run.state.nodes.update(panes[1]) { $0.isOpened = true } } else { Removal.remove(&run, panes[1]) }
    }
    let (master, detail) = (run.state.nodes.children(of: pane), run.state.nodes.children(of: split).filter { $0 != pane })
    // The nodes that were over the detail before the split expanded are over the detail again, unless the detail was opened later.
    let over = master.drop { id in
      run.state.nodes.record(id)?.isOpened != true || detail.contains { $0 > id }
    }
    for id in master where run.state.nodes.record(id)?.isOpened == true { run.state.nodes.update(id) { $0.isOpened = false } }
    try run.state.nodes.move([], to: pane)
    try run.state.nodes.move(master.dropLast(over.count) + detail + over, to: split)
    if let modal = run.state.nodes.record(pane)?.presentedID { move(&run, modal, from: pane, to: split) }
    Removal.remove(&run, pane)
  }

  /// Turns the node of a split into a stack's node. The caller arranges the children.
  static func markAsStack(_ run: inout Run, _ split: NodeID) {
    run.state.nodes.update(split) {
      $0.kind = .stack
      $0.isCollapsed = true
    }
  }

  /// Updates a client's tree when a container changes its kind. Only a split does so: it becomes a stack when it collapses, and a split
  /// again when it expands.
  static func noteNewKind(of tree: inout Tree) { tree.isCollapsed = tree.kind == .stack }

  /// Whether the detail has pushed nodes or modals, including modals on levels.
  private static func isInUse(_ run: borrowing Run, _ detail: NodeID) -> Bool {
    if !Guards.raised(run.state, goingWith: [detail]).isEmpty { return true }
    return run.state.subtree(of: detail).contains { id in
      guard let record = run.state.nodes.record(id) else { return false }
      return record.presentedID != nil || record.kind == .stack && run.state.nodes.children(of: record).count > 1
    }
  }

  /// Expands a collapsed split. The opened detail becomes the detail again, and all other nodes belong to the master. The nodes that lay over the detail are
  /// also marked as opened. If there is no opened detail, the flow's initial detail is created. Throws if the nodes cannot be moved.
  private static func unfold(_ run: inout Run, _ split: NodeID) throws(NodeTable.Misplacement) {
    let nodes = run.state.nodes.children(of: split)
    run.state.nodes.update(split) {
      $0.kind = .split
      $0.isCollapsed = false
    }
    let detail = nodes.last { run.state.nodes.record($0)?.isOpened == true }
    for id in nodes.reversed().prefix(while: { detail != nil && $0 != detail }) { run.state.nodes.update(id) { $0.isOpened = true } }
    let pane = makePane(&run, of: split)
    try run.state.nodes.move([pane] + [detail].compactMap { $0 }, to: split)
    try run.state.nodes.move(nodes.filter { $0 != detail }, to: pane)
    guard detail == nil, let record = run.state.nodes.record(split),
      case .split(_, let first)? = run.program.flow(of: record)?.initialChildren
    else {
      return
    }
    let before = run.state
    do {
      try Children.append(&run, first, to: split, owner: split, scope: Scope(flow: split))
    } catch {
      // The session's bounds leave no room for the detail, so only the master is shown.
      run.undo(to: before)
    }
  }

  /// Creates the empty stack of a split's master and returns its id. The caller adds it to the split's children.
  static func makePane(_ run: inout Run, of split: NodeID) -> NodeID {
    let pane = Making.newNode(&run)
    run.state.nodes.append(
      NodeRecord(id: pane, kind: .stack, name: run.state.nodes.number(Program.master), owner: split, parent: split))
    return pane
  }

  /// Moves a modal that a client presented directly on the pane to the split. Removes the modal if the split already presents one.
  private static func move(_ run: inout Run, _ modal: NodeID, from pane: NodeID, to split: NodeID) {
    guard run.state.nodes.record(split)?.presentedID == nil else { return Removal.leave(&run, modal) }
    run.state.nodes.setPresented(nil, on: pane)
    run.state.nodes.update(modal) { $0.parent = NodeRecord.number(split) }
    run.state.nodes.setPresented(modal, on: split)
  }
}
