/// A switch: one of several children, the one that is there.
final class SwitchContainer: ContainerRules, @unchecked Sendable {
  static let rules = SwitchContainer()

  override func sketch(_ children: [String], selected: Int?) -> String { "{\(children.joined(separator: ", "))}" }

  override func note(_ children: ChildrenChange, of state: State, by program: Program, in changes: inout Changes) {
    changes.add(children.isReplacement ? children.replacement(of: state, by: program) : children.whole(of: state, by: program), .bring)
  }
}

extension Run {
  /// Flux: the child of the switch is kept or made new, then its root or one screen on top. A child that has ended hears nothing,
  /// so it is made new. The no-op rule compares the name of the screen on top alone, not its params.
  mutating func show(_ child: String, as mold: Mold, screen: Mold?, in performance: borrowing Performance) throws(Refusal) {
    let flow = performance.flow
    guard state.nodes.record(flow)?.kind == .oneOf else { throw Refusal(.noSwitch, "the flow \(name(of: flow)) is not a switch") }
    if state.nodes.record(flow)?.firstChildID.map({ state.flowName(of: $0) == child && state.isAlive(flow: $0) }) != true {
      try fill(flow, with: [mold], owner: flow, scope: performance.scope)
    }
    guard let shown = state.nodes.record(flow)?.firstChildID, let record = state.nodes.record(shown) else { return }
    let stack = ownStack(of: record)
    guard let screen else {
      // A child without a stack is at its root whatever it shows.
      if let stack { keep(1, on: stack) } else { reason = "already-there" }
      return
    }
    guard let stack else { throw Refusal(.noStack, "\(child) has no stack to push on") }
    if case .screen(let name) = screen.target, let top = state.nodes.record(stack).flatMap({ state.nodes.record($0.lastChild) }),
      top.isLeaf, top.name == name
    {
      return reason = "already-on-top"
    }
    try append(screen, to: stack, owner: shown, scope: performance.scope)
  }
}
