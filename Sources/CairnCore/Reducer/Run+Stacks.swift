// Stacks, tabs and switches.
extension Run {
  /// The stack that a flow works on: its own, or the nearest around it, within its layer. A split's is its master.
  func nearestStack(of node: NodeID) throws(Refusal) -> NodeID {
    for ancestor in state.ancestors(of: node, acrossModals: false) {
      if state[ancestor]?.kind == .stack { return ancestor }
      if ancestor == node, state[node]?.kind == .split, let master = state[node]?.children.first { return master }
    }
    throw Refusal(.noStack, "there is no stack around \(state[node]?.name ?? "this node")")
  }

  /// After a `reveal` in the same list: the revealed screen's stack.
  func stackForPush(of flow: NodeID) throws(Refusal) -> NodeID { try nearestStack(of: turn.revealed ?? flow) }

  /// Pops, but never the first one.
  mutating func pop(_ count: Int, on stack: NodeID) {
    let children = state[stack]?.children ?? []
    guard children.count > 1 else { return reason = "at-root" }
    keep(max(1, children.count - max(0, count)), on: stack)
  }

  mutating func popToRoot(_ stack: NodeID) {
    guard (state[stack]?.children.count ?? 0) > 1 else { return reason = "at-root" }
    keep(1, on: stack)
  }

  /// The instance nearest to the top.
  mutating func popTo(screen: String, on stack: NodeID) throws(Refusal) {
    guard let index = state[stack]?.children.lastIndex(where: { state[$0]?.name == screen }) else {
      throw Refusal(.screenNotFound, "there is no \(screen) on the stack \(state[stack]?.name ?? "")")
    }
    keep(index + 1, on: stack)
  }

  /// Pops from the top until so many are left.
  mutating func keep(_ count: Int, on stack: NodeID) {
    let children = state[stack]?.children ?? []
    if children.count <= count { reason = "already-there" }
    leave(children.dropFirst(count).reversed())
  }

  /// Takes out the instance nearest to the top and leaves what is above it (TCA: `stack[id:] = nil`).
  mutating func removeOne(screen: String, on stack: NodeID) throws(Refusal) {
    let children = state[stack]?.children ?? []
    guard let node = children.last(where: { state[$0]?.name == screen }) else {
      throw Refusal(.screenNotFound, "there is no \(screen) on the stack \(state[stack]?.name ?? "")")
    }
    guard children.count > 1 else { return reason = "at-root" }
    leave(node)
  }

  /// Flux: the child of the switch is kept or made new, then its root or one screen on top. The no-op rule compares the
  /// name of the screen on top alone, not its params.
  mutating func show(_ child: String, screen: Contribution?, in flow: NodeID, scope: Scope) throws(Refusal) {
    guard state[flow]?.kind == .oneOf else { throw Refusal(.noSwitch, "the flow \(state[flow]?.name ?? "") is not a switch") }
    if state[flow]?.children.first.flatMap({ state[$0]?.flow }) != child {
      try fill(flow, with: [Contribution(.flow(child))], owner: flow, scope: scope)
    }
    guard let shown = state[flow]?.children.first, let top = state[shown]?.children.last else { return }
    if let screen {
      guard case .screen(let name) = screen.target, state[top]?.name != name else { return reason = "already-on-top" }
      try append(screen, to: shown, owner: shown, scope: scope)
    } else {
      keep(1, on: shown)
    }
  }

  mutating func select(_ selection: Operation.Selection, from flow: NodeID, scope: Scope) throws(Refusal) {
    switch selection {
    case .flow(let name): try select(.flow(name), around: flow)
    case .index(let expression):
      guard case .integer(let index) = value(of: expression, in: scope) else {
        throw Refusal(.valueMismatch, "the index of select must be an integer")
      }
      try select(.tab(index), around: flow)
    }
  }

  /// The nearest tabs around a node that have what is asked for; of a node without any around it, those in front below it.
  mutating func select(_ selection: Action.Selection, around node: NodeID) throws(Refusal) {
    let around = state.ancestors(of: node, acrossModals: true)
    let candidates = (around + front(below: node)).filter { state[$0]?.kind == .tabs }
    if case .flow(let name) = selection, definition.flows[name] == nil {
      let known = definition.flows.keys.sorted()
      let hint = NearestName.of(name, among: known).map { "did you mean \($0)?" } ?? "known are \(known.joined(separator: ", "))"
      throw Refusal(
        .invalid, "\(definition.app) has no flow \(name)", faults: [.init(pointer: "/flow", detail: "is unknown; \(hint)")])
    }
    guard let nearest = candidates.first else { throw Refusal(.noTabs, "there are no tabs around the visible screen") }
    switch selection {
    case .tab(let index):
      let count = state[nearest]?.children.count ?? 0
      guard index >= 0 && index < count else {
        throw Refusal(
          .invalid, "there are \(count) tabs, counted from 0", faults: [.init(pointer: "/tab", detail: "must be from 0 to \(count - 1)")])
      }
      select(index, in: nearest)
    case .flow(let name):
      for tabs in candidates {
        guard let index = state[tabs]?.children.firstIndex(where: { state[$0]?.flow == name }) else { continue }
        return select(index, in: tabs)
      }
      throw Refusal(.noTabs, "no tabs around the visible screen have \(name)")
    }
  }

  mutating func select(_ index: Int, in tabs: NodeID) {
    if state[tabs]?.selected == index { reason = "already-selected" }
    state[tabs]?.selected = index
  }

  private func front(below node: NodeID) -> [NodeID] {
    var path: [NodeID] = []
    while let next = state[path.last ?? node]?.front { path.append(next) }
    return path
  }
}
