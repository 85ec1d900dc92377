// A split that collapses: while its condition holds it is a stack, of the master's nodes and on top the detail that was opened. All that
// is said of stacks holds for it then.
extension Run {
  /// The flow's own node, which is a split, collapsed or not.
  func split(of flow: NodeID) throws(Refusal) -> NodeRecord {
    guard let record = state.nodes.record(flow), record.kind == .split || record.isCollapsed else {
      throw Refusal(.noStack, "the flow \(name(of: flow)) is not a split container")
    }
    return record
  }

  /// Lays out anew the splits whose condition names one of the facts, where it holds now and did not, or does no more.
  mutating func foldSplits(naming written: Set<String>) {
    for collapse in program.collapses where !collapse.facts.isDisjoint(with: written) {
      let isCollapsed = holds(collapse.when, in: Scope())
      let others = state.nodes.records.filter {
        $0.flow == collapse.flow && $0.isCollapsed != isCollapsed && ($0.kind == .split || $0.isCollapsed) && state.stands($0)
      }
      for split in others.map({ $0.nodeID }) { layOut(split, isCollapsed: isCollapsed) }
    }
  }

  /// Changes the layout of one split, or leaves the split as it is if its nodes cannot be placed.
  private mutating func layOut(_ split: NodeID, isCollapsed: Bool) {
    let before = state
    do {
      if isCollapsed { try fold(split) } else { try unfold(split) }
    } catch {
      undo(to: before)
    }
  }

  /// Removes the master's pane with its effects, and a detail that no step opened and in which nothing is open. Other nodes keep their ids.
  private mutating func fold(_ split: NodeID) throws(NodeTable.Misplacement) {
    let panes = state.nodes.children(of: split)
    state.nodes.update(split) {
      $0.kind = .stack
      $0.isCollapsed = true
    }
    guard let pane = panes.first else { return }
    if panes.count > 1, let detail = state.nodes.record(panes[1]), !detail.isOpened {
      if isInUse(panes[1]) { state.nodes.update(panes[1]) { $0.isOpened = true } } else { remove(panes[1]) }
    }
    let nodes = state.nodes.children(of: pane) + state.nodes.children(of: split).filter { $0 != pane }
    try state.nodes.move([], to: pane)
    try state.nodes.move(nodes, to: split)
    if let modal = state.nodes.record(pane)?.presentedID { move(modal, from: pane, to: split) }
    remove(pane)
  }

  /// Something is pushed in it, or presented over it, on a level too.
  private func isInUse(_ detail: NodeID) -> Bool {
    if !state.raised(goingWith: [detail]).isEmpty { return true }
    return state.subtree(of: detail).contains { id in
      guard let record = state.nodes.record(id) else { return false }
      return record.presentedID != nil || record.kind == .stack && state.nodes.children(of: record).count > 1
    }
  }

  /// The opened detail is the detail again, and all else the master's; where none is open it is the one that the flow is born with.
  private mutating func unfold(_ split: NodeID) throws(NodeTable.Misplacement) {
    let nodes = state.nodes.children(of: split)
    state.nodes.update(split) {
      $0.kind = .split
      $0.isCollapsed = false
    }
    let detail = nodes.last { state.nodes.record($0)?.isOpened == true }
    let pane = makePane(of: split)
    try state.nodes.move([pane] + [detail].compactMap { $0 }, to: split)
    try state.nodes.move(nodes.filter { $0 != detail }, to: pane)
    guard detail == nil, let record = state.nodes.record(split), case .split(_, let first)? = program.flow(of: record)?.birth else {
      return
    }
    let before = state
    do {
      try append(first, to: split, owner: split, scope: Scope())
    } catch {
      // There is no room for it: the master stands alone.
      undo(to: before)
    }
  }

  /// The stack of a split's master, without nodes.
  mutating func makePane(of split: NodeID) -> NodeID {
    let pane = newNode()
    state.nodes.append(
      NodeRecord(id: pane, kind: .stack, name: state.nodes.number(Program.master), owner: split, parent: split))
    return pane
  }

  /// What an open app presented on the pane itself.
  private mutating func move(_ modal: NodeID, from pane: NodeID, to split: NodeID) {
    guard state.nodes.record(split)?.presentedID == nil else { return leave(modal) }
    state.nodes.setPresented(nil, on: pane)
    state.nodes.update(modal) { $0.parent = NodeRecord.number(split) }
    state.nodes.setPresented(modal, on: split)
  }
}
