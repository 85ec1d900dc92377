/// A split: two panes, both visible, with the detail in front.
final class SplitContainer: ContainerRules, @unchecked Sendable {
  static let rules = SplitContainer()

  override var showsAllChildren: Bool { true }

  override func sketch(_ children: [String], selected: Int?) -> String { "{\(children.joined(separator: " | "))}" }

  /// The master's stack, which may be vacant.
  override func stack(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? { nodes.record(container.firstChild) }

  /// A pane is replaced like the child of a switch.
  override func note(_ children: ChildrenChange, in changes: inout Changes) {
    SwitchContainer.rules.note(children, in: &changes)
  }
}

/// The operations of a split.
enum SplitOperations {
  /// Creates a split's initial nodes: both panes, or only the master's nodes if the split is collapsed.
  static func bear(_ run: inout Run, _ split: NodeID, _ flow: Program.Flow, master: [NodeTemplate], detail: NodeTemplate) throws(Refusal) {
    if let condition = flow.collapse, run.holds(condition, in: Scope()) {
      Collapsing.markAsStack(&run, split)
      for template in master { try Children.append(&run, template, to: split, owner: split, scope: Scope()) }
    } else {
      try fillPanes(&run, of: split, master: master, detail: detail, scope: Scope())
    }
  }

  /// Runs the operation `split`, which replaces both panes. The new detail counts as opened.
  static func fill(_ run: inout Run, master: [NodeTemplate], detail: NodeTemplate, in performance: borrowing Performance) throws(Refusal) {
    let record = try Collapsing.split(run, of: performance.flow)
    let split = record.nodeID
    Removal.remove(&run, run.state.nodes.children(of: split))
    if record.isCollapsed {
      for template in master { try Children.append(&run, template, to: split, owner: split, scope: performance.scope) }
      try Children.append(&run, detail, to: split, owner: split, scope: performance.scope)
    } else {
      try fillPanes(&run, of: split, master: master, detail: detail, scope: performance.scope)
    }
    markOpened(&run, in: split)
  }

  /// Creates the master's stack and the detail.
  private static func fillPanes(_ run: inout Run, of split: NodeID, master: [NodeTemplate], detail: NodeTemplate, scope: Scope)
    throws(Refusal)
  {
    let stack = try addPane(&run, to: split)
    for template in master { try Children.append(&run, template, to: stack, owner: split, scope: scope) }
    try Children.append(&run, detail, to: split, owner: split, scope: scope)
  }

  /// Adds the empty stack of a split's master.
  @discardableResult
  private static func addPane(_ run: inout Run, to split: NodeID) throws(Refusal) -> NodeID {
    let pane = Collapsing.makePane(&run, of: split)
    try Children.hang(&run, pane, in: split)
    return pane
  }

  /// Replaces the detail. In a collapsed split, puts it on top and removes the opened one.
  static func showDetail(_ run: inout Run, _ template: NodeTemplate, in performance: borrowing Performance) throws(Refusal) {
    let record = try Collapsing.split(run, of: performance.flow)
    let children = run.state.nodes.children(of: record)
    let detail =
      record.isCollapsed ? children.last { run.state.nodes.record($0)?.isOpened == true } : children.count > 1 ? children[1] : nil
    if let detail { Removal.remove(&run, detail) }
    // In a split that was created without nodes, the first place is reserved for the master.
    if !record.isCollapsed, children.isEmpty { try addPane(&run, to: record.nodeID) }
    try Children.append(&run, template, to: record.nodeID, owner: performance.flow, scope: performance.scope)
    markOpened(&run, in: record.nodeID)
  }

  /// Marks the last child as opened, so that it remains when the split collapses. Splits that never collapse are not marked, so that journals from
  /// before `collapse` replay to the same states.
  static func markOpened(_ run: inout Run, in split: NodeID) {
    guard let record = run.state.nodes.record(split), run.program.flow(of: record)?.collapse != nil,
      let detail = run.state.nodes.children(of: record).last
    else { return }
    run.state.nodes.update(detail) { $0.isOpened = true }
  }
}

extension NodeRecord {
  /// Whether a node is the empty pane of a split's master. It reserves the master's place, and pushes do not go to it.
  var isVacantPane: Bool { childCount == 0 && kind == .stack && !isFlow }
}
