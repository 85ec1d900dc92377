/// The rules of switches: one of several possible children is shown, and only that one exists.
final class SwitchContainer: ContainerRules, @unchecked Sendable {
  static let rules = SwitchContainer()

  override func fault(of node: Node, in nodes: NodeTable) -> String? {
    guard node.children.count <= 1, node.selected == nil else {
      return "a switch must have at most one child and no selection; it has \(node.children.count)"
    }
    return node.children.allSatisfy { nodes[$0]?.flow != nil } ? nil : "all children of a switch must be flows"
  }

  override func sketch(_ children: [String], selected: Int?) -> String { "{\(children.joined(separator: ", "))}" }

  override func note(_ children: ChildrenChange, in changes: inout Changes) {
    changes.add(children.isReplacement ? children.replacement : children.whole, .bring)
  }
}

/// The operations of a switch.
enum SwitchOperations {
  /// Performs the operation `show`: keeps or creates the child of the switch, then shows the child's root or pushes one screen. A child
  /// that has ended handles no steps and is replaced. If the screen on top already has the name of the new one, nothing is pushed, even if
  /// the params differ. Throws `no-switch` if the flow is not a switch, and `no-stack` if the child has no stack for the screen.
  static func show(
    _ run: inout Run, _ child: String, as template: NodeTemplate, screen: NodeTemplate?, in context: borrowing InstructionContext
  ) throws(Refusal)
    -> NoChange?
  {
    let flow = context.flow
    guard run.state.nodes.record(flow)?.kind == .oneOf else {
      throw Refusal(.noSwitch, "the flow \(Children.name(run, of: flow)) is not a switch")
    }
    if run.state.nodes.record(flow)?.firstChildID.map({ run.state.flowName(of: $0) == child && run.state.isAlive(flow: $0) }) != true {
      try Children.fill(&run, flow, with: [template], owner: flow, scope: context.scope)
    }
    guard let shown = run.state.nodes.record(flow)?.firstChildID, let record = run.state.nodes.record(shown) else { return nil }
    let stack = StackOperations.ownStack(run, of: record)
    guard let screen else {
      // A child without a stack always shows its root.
      guard let stack else { return .alreadyThere }
      return StackOperations.keep(&run, 1, on: stack)
    }
    guard let stack else { throw Refusal(.noStack, "\(child) has no stack onto which the screen can be pushed") }
    if case .screen(let name) = screen.target, let top = run.state.nodes.record(stack).flatMap({ run.state.nodes.record($0.lastChild) }),
      top.isLeaf, top.name == name
    {
      return .alreadyOnTop
    }
    try Children.append(&run, screen, to: stack, owner: shown, scope: context.scope)
    return nil
  }
}
