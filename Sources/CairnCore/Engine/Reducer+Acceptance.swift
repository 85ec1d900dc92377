extension Reducer {
  /// What may be posted now.
  public func accepts(_ state: State) -> Acceptance {
    // A state that was read and never run knows its own names only.
    var state = state
    state.nodes.adopt(program.names)
    var steps = StepSet([])
    let leaves = state.visibleLeaves
    for leaf in leaves {
      guard let flow = leaf.hearer, state.isAlive(flow: flow) else { continue }
      let heard = stepsHeard(by: flow, in: state)
      steps.formUnion(program.screen(of: leaf)?.emits.map(heard.intersection) ?? heard)
    }
    if leaves.isEmpty { steps = stepsHeard(by: state.root, in: state) }
    return Acceptance(steps: steps.numbers.compactMap { program.steps[$0].accepted }, primitives: primitives(in: state))
  }

  /// The steps that a flow, or with bubbling one above it, handles or adapts.
  private func stepsHeard(by flow: NodeID, in state: State) -> StepSet {
    var steps = StepSet([])
    var next: NodeID? = flow
    while let id = next, let record = state.nodes.record(id), let flow = program.flow(of: record) {
      steps.formUnion(flow.heard)
      guard definition.unhandled == .parent, let owner = record.ownerID, state.isAlive(flow: owner) else { break }
      next = owner
    }
    return steps
  }

  private func primitives(in state: State) -> [String] {
    let end = state.visibleEnd?.nodeID ?? state.root
    let around = state.ancestors(of: end, acrossModals: false).compactMap { state.nodes.record($0) }
    let canPop = around.contains { record in
      record.kind.container?.stack(record.nodeID, state.nodes.children(of: record)).map { state.nodes.children(of: $0).count > 1 } ?? false
    }
    var names: [String] = []
    if canPop { names += ["pop", "popTo", "popToRoot"] }
    if state.layers.count > 1 { names.append("dismiss") }
    let outwards = state.ancestors(of: end, acrossModals: true)
    if outwards.contains(where: { state.nodes.record($0)?.kind == .tabs }) { names.append("select") }
    if definition.primitives == .open { names += ["push", "present", "set", "remove"] }
    names.append("token")
    if definition.oauth != nil { names.append("login") }
    if state.facts[FactDefinition.accessToken] != nil { names.append("logout") }
    if state.manualTime != nil { names.append("advance") }
    return names
  }
}

extension ParameterDefinition {
  /// `integer`, or `integer?` when it need not be given.
  public var shortName: String { kind.rawValue + (isOptional || defaultValue != nil ? "?" : "") }
}
