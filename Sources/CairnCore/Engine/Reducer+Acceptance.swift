extension Reducer {
  /// The actions that may be posted in this state.
  public func accepts(_ state: State) -> Acceptance {
    // The name table of a state read from the disk lacks the names of the definition.
    var state = state
    state.nodes.adopt(program.names)
    let leaves = state.visibleLeaves
    var steps = leaves.isEmpty && state.nodes.levels.isEmpty ? program.stepsHeard(by: state.root, in: state) : StepSet([])
    for leaf in leaves { steps.formUnion(program.stepsAccepted(from: leaf, in: state)) }
    return Acceptance(
      steps: steps.numbers.compactMap { program.steps[$0].accepted }, primitives: kindsAccepted(in: state).map { $0.word },
      guarded: GuardedGestures(state, in: program).names, facts: program.clientFacts)
  }
}

extension Program {
  /// The steps that a visible leaf may emit and that a flow handles.
  func stepsAccepted(from leaf: NodeRecord, in state: State) -> StepSet {
    guard let flow = leaf.handlingFlow, state.isAlive(flow: flow) else { return StepSet([]) }
    let heard = stepsHeard(by: flow, in: state)
    guard var emits = screen(of: leaf)?.emits else { return heard }
    if hasSharedSteps { emits.formUnion(sharedSteps(of: leaf, in: state)) }
    return heard.intersection(emits)
  }

  /// The steps that a flow handles or adapts. With `unhandled: parent`, includes those of its parent flows.
  func stepsHeard(by flow: NodeID, in state: State) -> StepSet {
    var steps = StepSet([])
    var next: NodeID? = flow
    while let id = next, let record = state.nodes.record(id), let flow = self.flow(of: record) {
      steps.formUnion(flow.heard)
      guard definition.unhandled == .parent, let owner = record.ownerID, state.isAlive(flow: owner) else { break }
      next = owner
    }
    return steps
  }
}

extension ParameterDefinition {
  /// The name of the type, such as `integer`, with a `?` if the param may be omitted.
  public var shortName: String { kind.rawValue + (isOptional || defaultValue != nil ? "?" : "") }
}
