/// A stack: the last child is in front, all are on the route.
enum StackContainer: Container {
  static func routes(_ children: [NodeID], selected: Int?) -> [NodeID] { children }

  static func stack(_ container: NodeID, _ children: [NodeID]) -> NodeID? { container }

  static func reveal(_ index: Int, of container: NodeID, in run: inout Run) { run.keep(index + 1, on: container) }

  /// The common beginning stays; one `replace` when only the top differs.
  static func note(_ children: ChildrenChange, of state: State, by program: Program, in changes: inout Changes) {
    let (before, after, common) = (children.before, children.after, children.common)
    if common < after.count, common < before.count {
      let kept = Set(before)
      if after[common...].contains(where: kept.contains) {
        // Something below the top went, what was above it stays.
        let now = Set(after)
        guard before.filter(now.contains) == after else { return changes.add(children.whole(of: state, by: program), .bring) }
        for gone in before where !now.contains(gone) { changes.add(.remove(node: gone), .take) }
        return
      }
    }
    if common == before.count - 1, after.count == before.count { return changes.add(children.replacement(of: state, by: program), .bring) }
    guard common > 0 || before.isEmpty else { return changes.add(children.whole(of: state, by: program), .bring) }
    if common < before.count { changes.add(.pop(in: children.container, to: before[common - 1]), .take) }
    for index in common..<after.count {
      changes.add(.push(in: children.container, node: program.tree(of: after[index], in: state)), .bring)
    }
  }
}

extension Run {
  /// The stack that a flow works on: its own, or the nearest around it, within its layer. A split's is its master, unless that is vacant.
  func nearestStack(of node: NodeID) throws(Refusal) -> NodeID {
    var next: NodeID? = node
    while let id = next, let record = state.nodes.record(id) {
      if record.kind == .stack, !record.isVacantPane { return id }
      // Of a flow's own containers only a split makes a stack of its own for what its flow pushes.
      if id == node, let stack = ownStack(of: record) { return stack }
      guard !state.isPresented(record) else { break }
      next = record.parentID
    }
    let name = name(of: node)
    throw Refusal(.noStack, "there is no stack around \(name.isEmpty ? "this node" : name)")
  }

  /// The stack that a container has of its own; `nil`: it has none, or it is a split whose master is vacant.
  func ownStack(of record: NodeRecord) -> NodeID? {
    guard let stack = record.kind.container?.stack(record.nodeID, state.nodes.children(of: record)) else { return nil }
    return state.nodes.record(stack)?.isVacantPane == true ? nil : stack
  }

  /// After a `reveal` in the same list it goes on the revealed screen's stack.
  mutating func push(_ mold: Mold, in performance: borrowing Performance) throws(Refusal) {
    let stack = try nearestStack(of: turns.revealed ?? performance.flow)
    try append(mold, to: stack, owner: performance.flow, scope: performance.scope)
  }

  mutating func replaceTop(with mold: Mold, in performance: borrowing Performance) throws(Refusal) {
    let stack = try nearestStack(of: performance.flow)
    // On a collapsed split it may be the detail that is replaced.
    var isOpened = false
    if let top = state.nodes.children(of: stack).last {
      isOpened = program.hasPanes && state.nodes.record(top)?.isOpened == true
      remove(top)
    }
    try append(mold, to: stack, owner: performance.flow, scope: performance.scope)
    if isOpened { markOpened(in: stack) }
  }

  /// Pops, but never the first one.
  mutating func pop(_ count: Int, on stack: NodeID) {
    let children = state.nodes.children(of: stack)
    guard children.count > 1 else { return reason = "at-root" }
    keep(max(1, children.count - max(0, count)), on: stack)
  }

  mutating func popToRoot(_ stack: NodeID) {
    guard state.nodes.children(of: stack).count > 1 else { return reason = "at-root" }
    keep(1, on: stack)
  }

  /// The instance nearest to the top.
  mutating func popTo(screen: String, on stack: NodeID) throws(Refusal) {
    guard let index = state.nodes.children(of: stack).lastIndex(where: { state.isScreen($0, named: screen) }) else {
      throw Refusal(.screenNotFound, "there is no \(screen) on the stack \(name(of: stack))")
    }
    keep(index + 1, on: stack)
  }

  /// Pops from the top until so many are left.
  mutating func keep(_ count: Int, on stack: NodeID) {
    let children = state.nodes.children(of: stack)
    if children.count <= count { reason = "already-there" }
    if children.count == count + 1 { leave(children[count]) } else { leave(children.dropFirst(count).reversed()) }
  }

  /// Takes out the instance nearest to the top and leaves what is above it (TCA: `stack[id:] = nil`).
  mutating func removeOne(screen: String, on stack: NodeID) throws(Refusal) {
    let children = state.nodes.children(of: stack)
    guard let node = children.last(where: { state.isScreen($0, named: screen) }) else {
      throw Refusal(.screenNotFound, "there is no \(screen) on the stack \(name(of: stack))")
    }
    guard children.count > 1 else { return reason = "at-root" }
    leave(node)
  }
}
