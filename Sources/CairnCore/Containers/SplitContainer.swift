/// The rules of splits: both panes are visible, and the detail is in front.
final class SplitContainer: ContainerRules, @unchecked Sendable {
  static let rules = SplitContainer()

  override func fault(of node: Node, in nodes: NodeTable) -> String? {
    guard (0...2).contains(node.children.count) else { return "a split must have 2 columns, not \(node.children.count)" }
    guard let master = node.children.first.flatMap({ nodes[$0] }) else { return nil }
    return master.kind == .stack && master.flow == nil ? nil : "the master of a split must be a stack"
  }

  override var showsAllChildren: Bool { true }

  override func sketch(_ children: [String], selected: Int?) -> String { "{\(children.joined(separator: " | "))}" }

  /// Pushes add to the master's stack, even if it is empty. Returns `nil` for a split without children.
  override func stack(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? { nodes.record(container.firstChild) }

  /// Adds the change that replaces a pane. The rules of switches determine it, in the same way as for the child of a switch.
  override func note(_ children: ChildrenChange, in changes: inout Changes) {
    SwitchContainer.rules.note(children, in: &changes)
  }
}

/// The operations of a split.
enum SplitOperations {
  /// Creates the initial nodes of a split: both panes or, if it is collapsed, the master's nodes only.
  static func create(_ run: inout Run, _ split: NodeID, _ flow: Program.Flow, master: [NodeTemplate], detail: NodeTemplate) throws(Refusal)
  {
    if let condition = flow.collapse, run.holds(condition, in: Scope()) {
      Collapsing.markAsStack(&run, split)
      for template in master { try Children.append(&run, template, to: split, owner: split, scope: Scope(flow: split)) }
    } else {
      try fillPanes(&run, of: split, master: master, detail: detail, scope: Scope(flow: split))
    }
  }

  /// Performs the operation `split`, which replaces both panes or, without a detail, only the master. The new detail counts as opened. Throws `no-stack` if the
  /// flow is not a split.
  static func fill(_ run: inout Run, master: [NodeTemplate], detail: NodeTemplate?, in context: borrowing InstructionContext)
    throws(Refusal)
  {
    let record = try Collapsing.split(run, of: context.flow)
    let split = record.nodeID
    guard let detail else { return try fill(&run, master: master, of: record, in: context) }
    Removal.remove(&run, run.state.nodes.children(of: split))
    if record.isCollapsed {
      for template in master { try Children.append(&run, template, to: split, owner: split, scope: context.scope) }
      try Children.append(&run, detail, to: split, owner: split, scope: context.scope)
    } else {
      try fillPanes(&run, of: split, master: master, detail: detail, scope: context.scope)
    }
    markOpened(&run, in: split)
  }

  /// Replaces the nodes of the master. In a collapsed split, the opened detail and the nodes over it stay on top.
  private static func fill(
    _ run: inout Run, master: [NodeTemplate], of split: NodeRecord, in context: borrowing InstructionContext
  ) throws(Refusal) {
    let children = run.state.nodes.children(of: split)
    var (stack, kept) = (split.nodeID, ArraySlice<NodeID>())
    if split.isCollapsed {
      kept = children.drop { run.state.nodes.record($0)?.isOpened != true }
      Removal.remove(&run, Array(children.dropLast(kept.count)))
    } else if let pane = children.first {
      stack = pane
      Removal.remove(&run, run.state.nodes.children(of: pane))
    } else {
      stack = try addPane(&run, to: stack)
    }
    for template in master { try Children.append(&run, template, to: stack, owner: split.nodeID, scope: context.scope) }
    guard !kept.isEmpty else { return }
    do {
      try run.state.nodes.move(run.state.nodes.children(of: stack).filter { !kept.contains($0) } + kept, to: stack)
    } catch {
      throw Refusal(error, below: Children.name(run, of: stack))
    }
  }

  /// Adds the master's stack with its nodes, and the detail.
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

  /// Performs the operation `detail`, which replaces the detail. In a collapsed split, the new detail is pushed on top, and the previously opened one is
  /// removed. Throws `no-stack` if the flow is not a split.
  static func showDetail(_ run: inout Run, _ template: NodeTemplate, in context: borrowing InstructionContext) throws(Refusal) {
    let record = try Collapsing.split(run, of: context.flow)
    let children = run.state.nodes.children(of: record)
    let detail =
      record.isCollapsed ? children.last { run.state.nodes.record($0)?.isOpened == true } : children.count > 1 ? children[1] : nil
    if let detail { Removal.remove(&run, detail) }
    // A split that was created empty needs the master's pane first, because the first child is always the master.
    if !record.isCollapsed, children.isEmpty { try addPane(&run, to: record.nodeID) }
    try Children.append(&run, template, to: record.nodeID, owner: context.flow, scope: context.scope)
    markOpened(&run, in: record.nodeID)
  }

  /// Marks the last child as opened, so that it is kept when the split collapses. The child of a split without `collapse` is not marked, so
  /// that a replay of entries that are older than `collapse` produces the same state.
  static func markOpened(_ run: inout Run, in split: NodeID) {
    guard let record = run.state.nodes.record(split), run.program.flow(of: record)?.collapse != nil,
      let detail = run.state.nodes.children(of: record).last
    else { return }
    run.state.nodes.update(detail) { $0.isOpened = true }
  }
}

extension NodeRecord {
  /// Whether the node is the empty pane of a split's master. This pane only reserves the first position, and nodes are not pushed onto it.
  var isVacantPane: Bool { childCount == 0 && kind == .stack && !isFlow }
}
