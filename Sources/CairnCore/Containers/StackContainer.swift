/// The rules of stacks: the last child is in front, and all children are on the route.
final class StackContainer: ContainerRules, @unchecked Sendable {
  static let rules = StackContainer()

  override func fault(of node: Node, in nodes: NodeTable) -> String? {
    node.selected == nil ? nil : "a stack must not have a selected child"
  }

  override var isRouteOfAllChildren: Bool { true }

  override func stack(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? { container }

  override func countThrough(_ child: NodeRecord, of container: NodeRecord, in nodes: NodeTable) -> Int? {
    child.previous != 0 || container.firstChild == child.id ? Siblings.index(of: child, in: nodes) + 1 : nil
  }

  /// The children from the top down.
  override func childrenFromFront(of container: NodeRecord, in nodes: NodeTable) -> [NodeID] { nodes.children(of: container).reversed() }

  override func sketch(_ children: [String], selected: Int?) -> String { "[\(children.joined(separator: ", "))]" }

  override func reveal(_ child: NodeRecord, of container: NodeRecord, in run: inout Run) {
    StackOperations.keep(&run, Siblings.index(of: child, in: run.state.nodes) + 1, on: container.nodeID)
  }

  /// Handles the most frequent cases, a single push and a pop. Returns `nil` for all other cases.
  override func change(of before: NodeRecord, to after: NodeRecord, kept: Int32) -> (note: ChangeNote, phase: Changes.Phase)? {
    guard let last = after.lastChildID else { return nil }
    if kept == before.childCount, after.childCount == kept + 1 { return (.push(in: after.nodeID, node: last), .bring) }
    if kept == after.childCount, kept < before.childCount { return (.pop(in: after.nodeID, to: last), .take) }
    return nil
  }

  /// Adds changes that keep the equal children at the beginning. If only the top differs, one `replace` suffices.
  override func note(_ children: ChildrenChange, in changes: inout Changes) {
    let (gone, come) = (children.gone, children.come)
    if !come.isEmpty, gone.contains(where: come.contains) {
      // Nodes below the top were removed, and the nodes above them are kept.
      guard gone.filter(come.contains) == come else { return changes.add(children.whole, .bring) }
      for node in gone where !come.contains(node) { changes.add(.remove(node), .take) }
      return
    }
    if children.isReplacement { return changes.add(children.replacement, .bring) }
    guard children.lastCommon != nil || children.countBefore == 0 else {
      return changes.add(children.whole, .bring)
    }
    if !gone.isEmpty, let last = children.lastCommon { changes.add(.pop(in: children.container, to: last), .take) }
    for node in come { changes.add(.push(in: children.container, node: node), .bring) }
  }
}

/// The operations of a stack.
enum StackOperations {
  /// Returns the stack on which a flow operates: its own stack, or the nearest stack around it within its layer. The stack of a split is its master,
  /// unless the master is empty. Throws `no-stack` if there is no stack.
  static func nearestStack(_ run: borrowing Run, of node: NodeID) throws(Refusal) -> NodeID {
    var next: NodeID? = node
    while let id = next, let record = run.state.nodes.record(id) {
      if record.rules?.takesPushes(record, in: run.state.nodes) == true, !record.isVacantPane { return id }
      // Only a split has a separate stack for the nodes that its flow pushes.
      if id == node, let stack = ownStack(run, of: record) { return stack }
      guard !record.isPresented(in: run.state.nodes) else { break }
      next = record.parentID
    }
    let name = Children.name(run, of: node)
    throw Refusal(.noStack, "\(name.isEmpty ? "this node" : name) is not on a stack")
  }

  /// The stack that belongs to a container; `nil` if the container has none, or if the container is a split whose master is empty.
  static func ownStack(_ run: borrowing Run, of record: NodeRecord) -> NodeID? {
    guard let stack = record.rules?.stack(of: record, in: run.state.nodes), !stack.isVacantPane else { return nil }
    return stack.nodeID
  }

  /// Performs the operation `push`. After a `reveal` in the same turn, it pushes onto the revealed node's stack. Throws `no-stack` if there is none.
  static func push(_ run: inout Run, _ template: NodeTemplate, in context: borrowing InstructionContext) throws(Refusal) {
    let stack = try nearestStack(run, of: run.turns.revealed ?? context.flow)
    try Children.append(&run, template, to: stack, owner: context.flow, scope: context.scope)
  }

  static func replaceTop(_ run: inout Run, with template: NodeTemplate, in context: borrowing InstructionContext) throws(Refusal) {
    let stack = try nearestStack(run, of: context.flow)
    // In a collapsed split, the replaced top may be the detail.
    var isOpened = false
    if let top = run.state.nodes.record(stack).flatMap({ run.state.nodes.record($0.lastChild) }) {
      isOpened = run.program.showsSeveralScreens && top.isOpened
      Removal.remove(&run, top.nodeID)
    }
    try Children.append(&run, template, to: stack, owner: context.flow, scope: context.scope)
    if isOpened { SplitOperations.markOpened(&run, in: stack) }
  }

  /// Pops `count` nodes, but never the first one. Returns `at-root` if the stack has no other node.
  static func pop(_ run: inout Run, _ count: Int, on stack: NodeID) -> NoChange? {
    let children = childCount(run, of: stack)
    guard children > 1 else { return .atRoot }
    return keep(&run, max(1, children - max(0, count)), on: stack)
  }

  /// The number of children of a node; 0 if the node does not exist.
  static func childCount(_ run: borrowing Run, of id: NodeID) -> Int { run.state.nodes.record(id).map { Int($0.childCount) } ?? 0 }

  static func popToRoot(_ run: inout Run, _ stack: NodeID) -> NoChange? {
    guard childCount(run, of: stack) > 1 else { return .atRoot }
    return keep(&run, 1, on: stack)
  }

  /// Pops from the top until `count` children are left. Returns `already-there` if the stack has at most `count` children.
  @discardableResult static func keep(_ run: inout Run, _ count: Int, on stack: NodeID) -> NoChange? {
    guard let record = run.state.nodes.record(stack) else { return nil }
    if run.linked != nil { run.linked?.node = run.state.nodes.children(of: record).prefix(max(1, count)).last }
    if record.childCount == count + 1, let top = record.lastChildID {
      Removal.leave(&run, top)
    } else {
      Removal.leave(&run, run.state.nodes.children(of: record).dropFirst(count).reversed())
    }
    return record.childCount <= count ? .alreadyThere : nil
  }
}
