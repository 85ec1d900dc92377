extension Reducer {
  /// What may be posted now.
  public func accepts(_ state: State) -> Acceptance {
    var steps: Set<String> = []
    let leaves = state.visibleLeaves
    for leaf in leaves {
      guard let flow = state.hearer(of: leaf), state.isAlive(flow: flow) else { continue }
      let heard = stepsHeard(by: flow, in: state)
      steps.formUnion(definition.screens[leaf.name]?.emits.map(heard.intersection) ?? heard)
    }
    if leaves.isEmpty { steps = stepsHeard(by: state.root, in: state) }
    let accepted = steps.sorted().compactMap { name in
      definition.steps[name].flatMap { step in
        step.isInternal ? nil : Acceptance.AcceptedStep(step: name, params: step.params.mapValues(\.shortName))
      }
    }
    return Acceptance(steps: accepted, primitives: primitives(in: state))
  }

  /// The steps that a flow, or with bubbling one above it, handles or adapts.
  private func stepsHeard(by flow: NodeID, in state: State) -> Set<String> {
    var steps: Set<String> = []
    var next: NodeID? = flow
    while let node = next.flatMap({ state[$0] }), let flowDefinition = node.flow.flatMap({ definition.flows[$0] }) {
      steps.formUnion(flowDefinition.handle.keys)
      steps.formUnion(flowDefinition.adapt.keys)
      next = definition.unhandled == .parent ? node.owner.flatMap { state.isAlive(flow: $0) ? $0 : nil } : nil
    }
    return steps
  }

  private func primitives(in state: State) -> [String] {
    let around = state.ancestors(of: state.visiblePath.last ?? state.root, acrossModals: false).compactMap { state[$0] }
    let masters = around.filter { $0.kind == .split }.compactMap { $0.children.first.flatMap { state[$0] } }
    var names: [String] = []
    if (around + masters).contains(where: { $0.kind == .stack && $0.children.count > 1 }) { names += ["pop", "popTo", "popToRoot"] }
    if state.layers.count > 1 { names.append("dismiss") }
    let outwards = state.ancestors(of: state.visiblePath.last ?? state.root, acrossModals: true)
    if outwards.contains(where: { state[$0]?.kind == .tabs }) { names.append("select") }
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
