/// A stack: the last child is in front, all are on the route.
enum StackContainer: Container {
  static func routes(_ children: [NodeID], selected: Int?) -> [NodeID] { children }

  static func stack(_ container: NodeID, _ children: [NodeID]) -> NodeID? { container }

  static func reveal(_ index: Int, of container: NodeID, in run: inout Run) { run.keep(index + 1, on: container) }

  /// The common beginning stays; one `replace` when only the top differs.
  static func changes(_ children: ChildrenChange) -> (takes: [Change], brings: [Change]) {
    let (before, after, common) = (children.before, children.after, children.common)
    let added = after[common...]
    if !added.isEmpty, common < before.count {
      let kept = Set(before)
      if added.contains(where: kept.contains) {
        // Something below the top went, what was above it stays.
        let now = Set(after)
        let isRemoval = before.filter(now.contains) == after
        return isRemoval ? (before.filter { !now.contains($0) }.map(Change.remove), []) : ([], [children.whole])
      }
    }
    if common == before.count - 1, added.count == 1, !before.isEmpty { return ([], [children.replacement]) }
    guard common > 0 || before.isEmpty else { return ([], [children.whole]) }
    let pops = common < before.count ? [Change.pop(in: children.container, to: before[common - 1])] : []
    return (pops, added.map { Change.push(in: children.container, node: children.tree($0)) })
  }
}

extension Run {
  /// The stack that a flow works on: its own, or the nearest around it, within its layer. A split's is its master.
  func nearestStack(of node: NodeID) throws(Refusal) -> NodeID {
    var here = state.nodes.record(node)
    while let record = here {
      let id = record.nodeID
      // Of the containers around a flow only a stack takes its push: what a split makes of one is for the split's own flow.
      if record.kind == .stack || id == node, let stack = record.kind.container?.stack(id, state.nodes.children(of: record)) {
        return stack
      }
      guard !state.isPresented(record), let parent = record.parentID else { break }
      here = state.nodes.record(parent)
    }
    let name = name(of: node)
    throw Refusal(.noStack, "there is no stack around \(name.isEmpty ? "this node" : name)")
  }

  /// After a `reveal` in the same list it goes on the revealed screen's stack.
  mutating func push(_ mold: Mold, in performance: borrowing Performance) throws(Refusal) {
    let stack = try nearestStack(of: turns.revealed ?? performance.flow)
    try append(mold, to: stack, owner: performance.flow, scope: performance.scope)
  }

  mutating func replaceTop(with mold: Mold, in performance: borrowing Performance) throws(Refusal) {
    let stack = try nearestStack(of: performance.flow)
    if let top = state.nodes.children(of: stack).last { remove([top]) }
    try append(mold, to: stack, owner: performance.flow, scope: performance.scope)
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
    guard let index = state.nodes.children(of: stack).lastIndex(where: { state.isNamed($0, screen) }) else {
      throw Refusal(.screenNotFound, "there is no \(screen) on the stack \(name(of: stack))")
    }
    keep(index + 1, on: stack)
  }

  /// Pops from the top until so many are left.
  mutating func keep(_ count: Int, on stack: NodeID) {
    let children = state.nodes.children(of: stack)
    if children.count <= count { reason = "already-there" }
    leave(children.dropFirst(count).reversed())
  }

  /// Takes out the instance nearest to the top and leaves what is above it (TCA: `stack[id:] = nil`).
  mutating func removeOne(screen: String, on stack: NodeID) throws(Refusal) {
    let children = state.nodes.children(of: stack)
    guard let node = children.last(where: { state.isNamed($0, screen) }) else {
      throw Refusal(.screenNotFound, "there is no \(screen) on the stack \(name(of: stack))")
    }
    guard children.count > 1 else { return reason = "at-root" }
    leave([node])
  }
}
