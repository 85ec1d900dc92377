/// A split: two panes, both seen; the detail is in front.
final class SplitContainer: ContainerRules, @unchecked Sendable {
  static let rules = SplitContainer()

  override var showsAllChildren: Bool { true }

  override func sketch(_ children: [String], selected: Int?) -> String { "{\(children.joined(separator: " | "))}" }

  /// The master's, which may be vacant.
  override func stack(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? { nodes.record(container.firstChild) }

  /// A pane is replaced as a switch's child is.
  override func note(_ children: ChildrenChange, of state: State, by program: Program, in changes: inout Changes) {
    SwitchContainer.rules.note(children, of: state, by: program, in: &changes)
  }
}

extension Run {
  /// What a split is born with: the two panes, or collapsed the master's nodes alone.
  mutating func bearSplit(_ split: NodeID, _ flow: Program.Flow, master: [Mold], detail: Mold) throws(Refusal) {
    if let condition = flow.collapse, holds(condition, in: Scope()) {
      state.nodes.update(split) {
        $0.kind = .stack
        $0.isCollapsed = true
      }
      for mold in master { try append(mold, to: split, owner: split, scope: Scope()) }
    } else {
      try fillPanes(of: split, master: master, detail: detail, scope: Scope())
    }
  }

  /// The operation: all anew. Its detail is one that was opened.
  mutating func fillSplit(master: [Mold], detail: Mold, in performance: borrowing Performance) throws(Refusal) {
    let record = try split(of: performance.flow)
    let split = record.nodeID
    remove(state.nodes.children(of: split))
    if record.isCollapsed {
      for mold in master { try append(mold, to: split, owner: split, scope: performance.scope) }
      try append(detail, to: split, owner: split, scope: performance.scope)
    } else {
      try fillPanes(of: split, master: master, detail: detail, scope: performance.scope)
    }
    markOpened(in: split)
  }

  /// A stack of its own for the master, and the detail.
  private mutating func fillPanes(of split: NodeID, master: [Mold], detail: Mold, scope: Scope) throws(Refusal) {
    let stack = try addPane(to: split)
    for mold in master { try append(mold, to: stack, owner: split, scope: scope) }
    try append(detail, to: split, owner: split, scope: scope)
  }

  /// Adds the stack of a split's master, without nodes.
  @discardableResult
  private mutating func addPane(to split: NodeID) throws(Refusal) -> NodeID {
    let pane = makePane(of: split)
    try hang(pane, in: split)
    return pane
  }

  /// In the place of the detail; collapsed on top, and the one that was open goes.
  mutating func showDetail(_ mold: Mold, in performance: borrowing Performance) throws(Refusal) {
    let record = try split(of: performance.flow)
    let children = state.nodes.children(of: record)
    let detail =
      record.isCollapsed ? children.last { state.nodes.record($0)?.isOpened == true } : children.count > 1 ? children[1] : nil
    if let detail { remove(detail) }
    // A split that was made with nothing: the master's place is the first one, and stays the master's.
    if !record.isCollapsed, children.isEmpty { try addPane(to: record.nodeID) }
    try append(mold, to: record.nodeID, owner: performance.flow, scope: performance.scope)
    markOpened(in: record.nodeID)
  }

  /// The last child was opened: it stays when the split collapses. Of one that never does nothing is noted: what was written before
  /// there was `collapse` is the same when it is run again.
  mutating func markOpened(in split: NodeID) {
    guard let record = state.nodes.record(split), program.flow(of: record)?.collapse != nil,
      let detail = state.nodes.children(of: record).last
    else { return }
    state.nodes.update(detail) { $0.isOpened = true }
  }
}

extension NodeRecord {
  /// Whether a node is the master's pane of a split and holds nothing. It keeps the master's place, and no push lands in it.
  var isVacantPane: Bool { childCount == 0 && kind == .stack && !isFlow }
}
