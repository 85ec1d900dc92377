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
      guarded: guarded(in: state), facts: program.clientFacts)
  }

  /// The accepted gestures that would run a guard, because they would dismiss a guarded node.
  private func guarded(in state: State) -> [String] {
    guard program.hasLeave else { return [] }
    var names: [String] = []
    let front = GestureOrigin(front: state)
    let top = Gestures.stackToPop(state, at: front)
    if let top {
      let above = state.nodes.children(of: top.stack).dropFirst()
      if asks(state, above.suffix(1)) { names += ["pop", "back"] }
      if asks(state, above.reversed()) { names.append("popToRoot") }
    }
    if front.layer != state.root, asks(state, [front.layer]) {
      names += top == nil ? ["dismiss", "back"] : ["dismiss"]
    }
    switch Gestures.back(state, in: program, at: front) {
    case .selectFirst(let tabs): if asksBeforeLeavingTab(of: tabs, in: state) { names.append("back") }
    case nil: if asksBeforeExit(in: state) { names.append("back") }
    case .pop, .dismiss: break
    }
    let tabs = state.ancestors(of: front.endID(in: state), acrossModals: false).first { state.nodes.record($0)?.kind == .tabs }
    if let tabs, asksBeforeLeavingTab(of: tabs, in: state) { names.append("select") }
    return names
  }

  /// Whether a guarded node among these nodes, or inside them, would be asked before their removal.
  private func asks(_ state: State, _ going: some Sequence<NodeID>) -> Bool {
    Guards.inside(state, Array(going)).contains { Guards.asks($0, state, evaluator) }
  }

  /// Whether a guarded node would be asked before another tab is selected.
  private func asksBeforeLeavingTab(of tabs: NodeID, in state: State) -> Bool {
    guard let record = state.nodes.record(tabs), let front = state.front(of: record) else { return false }
    return Guards.inside(state, [front]).contains { Guards.asks($0, state, evaluator, hides: true) }
  }

  /// Whether a guarded node would be asked before the app is left by `back`.
  func asksBeforeExit(in state: State) -> Bool {
    program.hasLeave && Gestures.back(state, in: program, at: GestureOrigin(front: state)) == nil
      && Guards.asking(state, evaluator, .exit) != nil
  }

  /// An evaluator for conditions that read neither the time nor random values.
  private var evaluator: Evaluator { Evaluator(program: program, stamp: Stamp(time: 0, nonce: ""))
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
