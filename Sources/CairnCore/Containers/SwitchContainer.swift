/// A switch: one of several children, the one that is there.
enum SwitchContainer: Container {
  static func note(_ children: ChildrenChange, of state: State, by program: Program, in changes: inout Changes) {
    let isReplacement = children.before.count == children.after.count && children.common == children.before.count - 1
    changes.add(isReplacement ? children.replacement(of: state, by: program) : children.whole(of: state, by: program), .bring)
  }
}

extension Run {
  /// Flux: the child of the switch is kept or made new, then its root or one screen on top. The no-op rule compares the
  /// name of the screen on top alone, not its params.
  mutating func show(_ child: String, as mold: Mold, screen: Mold?, in performance: borrowing Performance) throws(Refusal) {
    let flow = performance.flow
    guard state.nodes.record(flow)?.kind == .oneOf else { throw Refusal(.noSwitch, "the flow \(name(of: flow)) is not a switch") }
    if state.nodes.children(of: flow).first.flatMap({ state.flowName(of: $0) }) != child {
      try fill(flow, with: [mold], owner: flow, scope: performance.scope)
    }
    guard let shown = state.nodes.children(of: flow).first, let top = state.nodes.children(of: shown).last else { return }
    if let screen {
      let record = state.nodes.record(top)
      guard case .screen(let name) = screen.target, record?.name != name || record?.isLeaf == false else {
        return reason = "already-on-top"
      }
      try append(screen, to: shown, owner: shown, scope: performance.scope)
    } else {
      keep(1, on: shown)
    }
  }
}
