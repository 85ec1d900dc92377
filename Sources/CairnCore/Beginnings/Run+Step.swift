// What begins an action; the turns of the steps it queues follow.
extension Run {
  /// Does what the action itself says. A refusal means that nothing of it happened.
  mutating func begin(_ action: Action) throws(Refusal) {
    switch action {
    case .step(let step, let from): try post(step, from: from)
    case .pop, .popTo, .popToRoot, .back, .dismiss, .select: try gesture(action)
    case .push, .present, .set, .remove: try primitive(action)
    case .login(let hasCode, let oauthState, let error, let byOperator):
      try login(hasCode: hasCode, oauthState: oauthState, error: error, byOperator: byOperator)
    case .logout: logout()
    case .cancel(let link): try cancel(link)
    case .token: tokenArrived()
    case .appState(let activity): try tell(activity)
    case .facts(let values): try set(facts: values)
    case .open(let url): try open(url)
    case .notification(let url, let category, let tap, let appState, let message):
      try notify(url: url, category: category, tap: tap, appState: appState, message)
    case .advance(let time): state.manualTime = max(time, state.manualTime ?? time)
    case .effect(let id, let completion):
      isEndOfEffect = true
      try complete(id, completion)
    }
  }

  /// A posted step: its definition, its emitter's gate and contract; its own turn may refuse the action.
  private mutating func post(_ given: Step, from: NodeID?) throws(Refusal) {
    let intent = try checked(given)
    let emitter = try emitter(of: intent, from: from)
    var flow = state.root
    if let emitter {
      try checkGate(emitter, intent)
      try checkContract(emitter, intent)
      guard let hearer = emitter.record.hearer, state.isAlive(flow: hearer) else {
        throw Refusal(.flowGone, "the flow that hears \(name(of: emitter)) has ended")
      }
      flow = hearer
      if emitter.record.kind == .alert, isOwn(intent, of: emitter, isNamed: from != nil) {
        leave(emitter.id)
        finishTurn()
      }
    } else if let front = state.nodes.levels.last {
      throw Refusal(.hidden, "nothing can be seen in \(name(of: front)), which lies over all that could say \(intent.step.step)")
    }
    try take(Turns.Item(intent: intent, receiver: .flow(flow), emitter: emitter))
  }

  /// Whether a step is an alert's own, which closes it. A step that a flow lets all its screens emit is only if the alert's contract has it,
  /// or if the client names the alert and that has no contract.
  private func isOwn(_ intent: Intent, of alert: Emitter, isNamed: Bool) -> Bool {
    if let contract = program.screen(of: alert.record)?.emits { return contract.contains(intent.number) }
    return isNamed || !program.isSharedStep(intent.number, of: alert.record, in: state)
  }

  private func name(of emitter: Emitter) -> String { state.nodes.name(of: emitter.record) }

  /// The step as its definition wants it, defaults filled in.
  private func checked(_ step: Step) throws(Refusal) -> Intent {
    guard let number = program.step(step.step), program.steps[number].isDeclared else {
      let known = definition.steps.filter { !$0.value.isInternal }.keys
      let some = known.sorted().prefix(64).joined(separator: ", ") + (known.count > 64 ? ", …" : "")
      let hint = NearestName.of(step.step, among: known).map { "; did you mean \($0)?" } ?? ""
      throw Refusal(
        .invalid, "\(definition.app) has no step \(step.step)", faults: [.init(pointer: "/step", detail: "must be one of \(some)\(hint)")])
    }
    let declared = program.steps[number]
    guard !declared.isInternal else {
      throw Refusal(.internalStep, "\(step.step) is sent by the service itself and cannot be posted")
    }
    if let params = declared.params.checked(step.params) { return Intent(number: number, step: Step(step.step, params: params)) }
    let params = try check(step.params, against: declared.params.definitions, of: "the step \(step.step)", at: "/params")
    return Intent(number: number, step: Step(step.step, params: params))
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

  /// By default the visible screen.
  private func emitter(of intent: Intent, from: NodeID?) throws(Refusal) -> Emitter? {
    guard let from else {
      if !program.showsSeveralScreens, let visible = state.visibleRecord { return state.emitter(visible) }
      return firstEmitter(of: intent)
    }
    if state.stands(from), let emitter = state.emitter(from) { return emitter }
    try checkIssued(from, at: "/from")
    if let listener = state.listeners.first(where: { $0.node == from }) {
      var record = NodeRecord(id: from, kind: .screen, name: nameNumber(listener.screen), owner: listener.flow, parent: nil)
      record.listen = Listen(hidden: true, dismissed: true)
      return Emitter(record: record, details: nil)
    }
    // Flux, TCA and FlowController: an action goes to the dispatcher, whoever sent it. It stands in for the visible screen,
    // but what it would read or write of itself is gone.
    if definition.covered == .accept, let visible = state.visibleRecord {
      return Emitter(record: NodeRecord(id: from, kind: .screen, name: visible.name, owner: visible.hearer, parent: nil), details: nil)
    }
    throw Refusal(.dismissed, "\(from) is gone, and is not listened to any more")
  }

  /// Where a split shows two panes, the one whose contract has the step and whose flow hears it, the detail first.
  private func firstEmitter(of intent: Intent) -> Emitter? {
    let leaves = state.visibleLeaves
    let speaking = leaves.first { program.stepsAccepted(from: $0, in: state).contains(intent.number) }
    return (speaking ?? leaves.first { mayEmit($0, intent) } ?? leaves.first).map(state.emitter)
  }

  private func nameNumber(_ screen: String) -> Int32 { state.nodes.names.number(screen) ?? 0 }

  /// A screen without a contract, or one that is not of the definition, may emit any step.
  private func mayEmit(_ record: NodeRecord, _ intent: Intent) -> Bool {
    program.screen(of: record)?.emits?.contains(intent.number) ?? true || program.isSharedStep(intent.number, of: record, in: state)
  }

  func checkIssued(_ id: NodeID, at pointer: String) throws(Refusal) {
    guard state.wasIssued(id) else {
      throw Refusal(
        .invalid, "\(id) was never given out", faults: [.init(pointer: pointer, detail: "must be the id of a node of this session")])
    }
  }

  func isGated(_ record: NodeRecord) -> Bool { definition.covered == .refuse && !record.listen.hidden }

  private func checkGate(_ emitter: Emitter, _ intent: Intent) throws(Refusal) {
    try checkLevel(emitter.record)
    guard isGated(emitter.record), state.isCovered(emitter.id) else { return }
    throw Refusal(.hidden, "\(name(of: emitter)) (\(emitter.id)) is covered, so its \(intent.step.step) is not heard")
  }

  /// A screen's own contract; a flow speaks for the screens that are seen in it.
  private func checkContract(_ emitter: Emitter, _ intent: Intent) throws(Refusal) {
    if emitter.record.isLeaf, mayEmit(emitter.record, intent) { return }
    let speakers = emitter.record.isLeaf ? [emitter.record] : state.leaves(seenIn: emitter.id)
    guard !speakers.isEmpty, !speakers.contains(where: { mayEmit($0, intent) }) else { return }
    let emits = speakers.reduce(into: Set<String>()) {
      $0.formUnion(definition.screens[state.nodes.name(of: $1)]?.emits ?? [])
      $0.formUnion(program.sharedSteps(of: $1, in: state).numbers.map { program.steps[$0].name })
    }
    let may = emits.isEmpty ? "no steps" : emits.sorted().joined(separator: ", ")
    throw Refusal(.notInContract, "\(name(of: emitter)) may not emit \(intent.step.step); it emits \(may)")
  }

  private mutating func set(facts: [String: Value]) throws(Refusal) {
    var faults: [Refusal.Fault] = []
    for (name, value) in facts.sorted(by: { $0.key < $1.key }) {
      let pointer = "/set/\(name.pointerEscaped)"
      if name == FactDefinition.accessToken {
        faults.append(.init(pointer: pointer, detail: "is set by a token or login action"))
      } else if program.isOfApp(name) {
        faults.append(.init(pointer: pointer, detail: "is set by an appState action"))
      } else if let fact = definition.facts.value(exactly: name) {
        if value != .null, let fault = fact.type.fault(of: value) { faults.append(.init(pointer: pointer, detail: fault)) }
      } else {
        faults.append(.init(pointer: pointer, detail: "is unknown; known are \(definition.facts.keys.sorted().joined(separator: ", "))"))
      }
    }
    guard faults.isEmpty else { throw Refusal(.invalid, "the facts do not fit \(definition.app)", faults: faults) }
    for (name, value) in facts.sorted(by: { $0.key < $1.key }) {
      try write(value == .null ? nil : value, to: name)
    }
  }
}
