// What each action begins with; the turns of the steps it queues follow.
extension Run {
  /// Runs the whole action. A refusal means that nothing of it happened.
  mutating func apply(_ action: Action) throws(Refusal) {
    switch action {
    case .step(let step, let from): try post(step, from: from)
    case .pop, .popTo, .popToRoot, .dismiss, .select: try gesture(action)
    case .push, .present, .set, .remove: try primitive(action)
    case .login(let hasCode, let oauthState, let error, let byOperator):
      try login(hasCode: hasCode, oauthState: oauthState, error: error, byOperator: byOperator)
    case .logout: logout()
    case .token: tokenArrived()
    case .facts(let values): try set(facts: values)
    case .open(let url): try open(url)
    case .notification(let url, let category, let tap, _): try notify(url: url, category: category, tap: tap)
    case .advance(let time): state.manualTime = max(time, state.manualTime ?? time)
    case .effect(let id, let completion): try complete(id, completion)
    }
    finishTurn()
    try drain()
    cancelCoveredEffects()
  }

  /// A posted step: its definition, its emitter's gate and contract; its own turn may refuse the action.
  private mutating func post(_ given: Step, from: NodeID?) throws(Refusal) {
    let step = try checked(given)
    let emitter = try emitter(of: step, from: from)
    var flow = state.root
    if let emitter {
      try checkGate(emitter, step)
      try checkContract(emitter, step)
      guard let hearer = state.hearer(of: emitter), state.isAlive(flow: hearer) else {
        throw Refusal(.flowGone, "the flow that hears \(emitter.name) has ended")
      }
      flow = hearer
      if emitter.kind == .alert { leave(emitter.id) }
      finishTurn()
    }
    try take(Item(step: step, receiver: .flow(flow), emitter: emitter))
  }

  /// The step as its definition wants it, defaults filled in.
  private func checked(_ step: Step) throws(Refusal) -> Step {
    guard let stepDefinition = definition.steps[step.step] else {
      let known = definition.steps.filter { !$0.value.isInternal }.keys.sorted().joined(separator: ", ")
      throw Refusal(
        .invalid, "\(definition.app) has no step \(step.step)", faults: [.init(pointer: "/step", detail: "must be one of \(known)")])
    }
    guard !stepDefinition.isInternal else {
      throw Refusal(.internalStep, "\(step.step) is sent by the service itself and cannot be posted")
    }
    let params = try check(step.params, against: stepDefinition.params, of: "the step \(step.step)", at: "/params")
    return Step(step.step, params: params)
  }

  /// Checks params and gives them with their defaults; all faults at once.
  func check(
    _ params: [String: Value], against definitions: [String: ParameterDefinition], of what: String, at pointer: String
  ) throws(Refusal) -> [String: Value] {
    let (checked, faults) = ParameterDefinition.check(params, against: definitions)
    guard faults.isEmpty else {
      let all = faults.map { Refusal.Fault(pointer: "\(pointer)/\($0.name.pointerEscaped)", detail: $0.fault) }
      throw Refusal(.invalid, "the params do not fit \(what)", faults: all)
    }
    return checked
  }

  /// By default the visible screen; where a split shows two panes, the one whose contract has the step, the detail first.
  private mutating func emitter(of step: Step, from: NodeID?) throws(Refusal) -> Node? {
    guard let from else {
      let leaves = state.visibleLeaves
      return leaves.first { definition.screens[$0.name]?.emits?.contains(step.step) ?? true } ?? leaves.first
    }
    if let node = state[from] { return node }
    try checkIssued(from, at: "/from")
    if let listener = state.listeners.first(where: { $0.node == from }) {
      var gone = Node(id: from, kind: .screen, name: listener.screen, owner: listener.flow, parent: nil)
      gone.listen = Listen(hidden: true, dismissed: true)
      return gone
    }
    // Flux, TCA and FlowController: an action goes to the dispatcher, whoever sent it. It stands in for the visible screen,
    // but what it would read or write of itself is gone.
    if definition.covered == .accept, let visible = state.visibleLeaf {
      return Node(id: from, kind: .screen, name: visible.name, owner: state.hearer(of: visible), parent: nil)
    }
    throw Refusal(.dismissed, "\(from) is gone, and is not listened to any more")
  }

  func checkIssued(_ id: NodeID, at pointer: String) throws(Refusal) {
    guard state.wasIssued(id) else {
      throw Refusal(
        .invalid, "\(id) was never given out", faults: [.init(pointer: pointer, detail: "must be the id of a node of this session")])
    }
  }

  func isGated(_ node: Node) -> Bool { definition.covered == .refuse && !node.listen.hidden }

  private func checkGate(_ emitter: Node, _ step: Step) throws(Refusal) {
    guard emitter.isLeaf, isGated(emitter), state.isCovered(emitter.id) else { return }
    throw Refusal(.hidden, "\(emitter.name) (\(emitter.id)) is covered, so its \(step.step) is not heard")
  }

  private func checkContract(_ emitter: Node, _ step: Step) throws(Refusal) {
    guard emitter.isLeaf, let emits = definition.screens[emitter.name]?.emits, !emits.contains(step.step) else { return }
    let may = emits.isEmpty ? "no steps" : emits.sorted().joined(separator: ", ")
    throw Refusal(.notInContract, "\(emitter.name) may not emit \(step.step); it emits \(may)")
  }

  private mutating func set(facts: [String: Value]) throws(Refusal) {
    var faults: [Refusal.Fault] = []
    for (name, value) in facts.sorted(by: { $0.key < $1.key }) {
      let pointer = "/set/\(name.pointerEscaped)"
      if name == FactDefinition.accessToken {
        faults.append(.init(pointer: pointer, detail: "is set by a token or login action"))
      } else if let fact = definition.facts[name] {
        if value != .null, let fault = fact.type.fault(of: value) { faults.append(.init(pointer: pointer, detail: fault)) }
      } else {
        faults.append(.init(pointer: pointer, detail: "is unknown; known are \(definition.facts.keys.sorted().joined(separator: ", "))"))
      }
    }
    guard faults.isEmpty else { throw Refusal(.invalid, "the facts do not fit \(definition.app)", faults: faults) }
    for (name, value) in facts.sorted(by: { $0.key < $1.key }) {
      try write(value == .null ? definition.facts[name]?.type.defaultValue : value, to: name)
    }
  }
}
