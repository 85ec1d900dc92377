/// A split: two panes, both seen; the detail is in front.
enum SplitContainer: Container {
  static func visible(_ children: [NodeID], selected: Int?) -> [NodeID] { children }

  /// The master's.
  static func stack(_ container: NodeID, _ children: [NodeID]) -> NodeID? { children.first }

  /// A pane is replaced as a switch's child is.
  static func note(_ children: ChildrenChange, of state: State, by program: Program, in changes: inout Changes) {
    SwitchContainer.note(children, of: state, by: program, in: &changes)
  }
}

extension Run {
  /// The two panes anew: a stack of its own for the master, and the detail.
  mutating func fillSplit(_ split: NodeID, master: [Mold], detail: Mold, scope: Scope) throws(Refusal) {
    remove(state.nodes.children(of: split))
    let stack = newNode()
    let name = state.nodes.number(Program.master)
    state.nodes.append(NodeRecord(id: stack, kind: .stack, name: name, owner: split, parent: split))
    state.nodes.appendChild(stack, to: split)
    for mold in master { try append(mold, to: stack, owner: split, scope: scope) }
    try append(detail, to: split, owner: split, scope: scope)
  }

  mutating func showDetail(_ mold: Mold, in performance: borrowing Performance) throws(Refusal) {
    let split = try container(.split, of: performance.flow, else: .noStack)
    let panes = state.nodes.children(of: split)
    if panes.count > 1 { remove(panes[1]) }
    try append(mold, to: split, owner: performance.flow, scope: performance.scope)
  }
}
