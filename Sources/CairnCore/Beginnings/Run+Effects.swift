// Effects: work as data, owned by a node or by the session.
extension Run {
  /// One load at a time a node: a second request while one runs changes nothing, or replaces it.
  mutating func startLoad(_ load: Load, of owner: NodeID, scope: Scope) throws(Refusal) {
    let running = state.effects.contains { $0.owner == owner && $0.isLoad }
    if running && !load.restart { return reason = "already-loading" }
    if running { cancelEffects { $0.owner == owner && $0.isLoad } }
    try checkEffects()
    let then = evaluator.partial(load.then, in: scope, state)
    let otherwise = evaluator.partial(load.otherwise, in: scope, state)
    let delay = delay(of: load)
    let work: Effect.Work
    switch load.source {
    case .value(let expression):
      work = .value(value(of: expression, in: scope) ?? .null, delay: delay, then: then, otherwise: otherwise)
    case .request(let request):
      work = .request(
        url: try url(of: request.url, in: scope)?.word ?? "", bearer: request.bearer, delay: delay, then: then, otherwise: otherwise,
        terms: try terms(of: request, in: scope))
    }
    try start(work, owner: owner, whileVisible: load.whileVisible)
    state.nodes.setContent(Content(status: .loading, value: state.nodes.details(of: owner).content?.value), of: owner)
    note(Event(.loadStarted, flow: nil, node: owner))
  }

  /// How long a load waits. One that started itself again counts as a timer of the shortest kind.
  private func delay(of load: Load) -> WideInt {
    let restarts = isEndOfEffect && load.endsAtOnce.contains { program.restarts.ends.contains($0.step) }
    return restarts ? max(load.delay, Restarts.interval) : load.delay
  }

  mutating func startTimer(_ mold: TimerMold, of owner: NodeID, scope: Scope) throws(Refusal) {
    try checkEffects()
    let step = try step(from: mold.step, in: scope).step
    let timer = mold.timer
    try start(
      .timer(name: timer.name, step: step, delay: timer.delay, period: timer.repeats ? timer.delay : nil, ticks: 0),
      owner: owner, whileVisible: timer.whileVisible, to: mold.step.to)
  }

  mutating func start(
    _ work: Effect.Work, owner: NodeID?, whileVisible: Bool = false, to destination: Operation.Destination? = nil
  ) throws(Refusal) {
    if meter.isCounting { try meter.write(State.itemSize + work.size) }
    state.effects.append(
      Effect(id: state.nextEffect, owner: owner, start: stamp.time, work: work, whileVisible: whileVisible, to: destination))
    state.nextEffect += 1
  }

  /// Takes effects back. A load whose node stays is no longer loading.
  mutating func cancelEffects(where isMeant: (Effect) -> Bool) {
    guard state.effects.contains(where: isMeant) else { return }
    for effect in state.effects where isMeant(effect) {
      guard effect.isLoad, let owner = effect.owner else { continue }
      note(Event(.loadCancelled, node: owner))
      guard var content = state.nodes.details(of: owner).content, content.status == .loading else { continue }
      content.status = .idle
      state.nodes.setContent(content, of: owner)
    }
    state.effects.removeAll(where: isMeant)
  }

  /// The `cancel` operation: of a node and of what is below it; by name also what the flow holds itself (`on: flow`).
  mutating func cancelEffects(named name: String?, below node: NodeID, of flow: NodeID) {
    var nodes = Set(state.subtree(of: node))
    if name != nil { nodes.insert(flow) }
    cancelEffects { effect in
      guard let owner = effect.owner, nodes.contains(owner) else { return false }
      guard let name else { return true }
      if case .timer(let timerName, _, _, _, _) = effect.work { return timerName == name }
      return false
    }
  }

  /// `while: visible`: taken back when the node is covered.
  mutating func cancelCoveredEffects() {
    guard state.hasEffects, state.effects.contains(where: { $0.whileVisible }) else { return }
    // A container is visible where something in it is.
    let visible = Set(state.visibleLeaves.flatMap { state.ancestors(of: $0.nodeID, acrossModals: false) })
    cancelEffects { effect in effect.whileVisible && effect.owner.map { !visible.contains($0) } ?? false }
  }

  /// An effect came to its end, or a timer ticked.
  mutating func complete(_ id: Effect.ID, _ completion: Action.Completion) throws(Refusal) {
    // 0 was the one link that a session held once.
    if id <= 0, completion == .due(tick: 1), let held = state.pendingLinks.first(where: { id == 0 || Effect.end(of: $0.id) == id }),
      stamp.time >= held.until
    {
      return dropPendingLink(held.id, "expired")
    }
    guard let index = state.effects.firstIndex(where: { $0.id == id }) else {
      throw Refusal(.effectGone, "the effect \(id) is over or was cancelled")
    }
    let effect = state.effects[index]
    switch (effect.work, completion) {
    case (.timer(_, let step, _, let period, _), .due):
      if period == nil { state.effects.remove(at: index) }
      try sendTimerStep(step, of: effect)
    case (.value(let value, _, let then, let otherwise), .due):
      state.effects.remove(at: index)
      try finishLoad(effect, value, then: then, otherwise: otherwise)
    case (.request(_, _, _, let then, let otherwise, let terms), .loaded(let value)):
      if let polling = terms?.polling, try !ends(polling, effect, with: value, then: then) { break }
      state.effects.remove(at: index)
      try finishLoad(effect, value, then: then, otherwise: otherwise)
    case (.request(_, let bearer, _, _, let otherwise, _), .failed(let reason)):
      state.effects.remove(at: index)
      failLoad(effect, reason, otherwise: otherwise)
      if bearer { tokenWasRefused(by: reason) }
    case (.exchange, .exchanged):
      state.effects.remove(at: index)
      tokenArrived()
    case (.exchange, .failed(let reason)), (.exchange, .abandoned(let reason)):
      state.effects.remove(at: index)
      exchangeFailed(reason)
    case (.timer(_, let step, _, _, _), .abandoned(let reason)):
      state.effects.remove(at: index)
      note(Event(.timerFailed, node: effect.owner, step: step, reason: reason))
    case (.value, .abandoned(let reason)), (.request, .abandoned(let reason)):
      state.effects.remove(at: index)
      failLoad(effect, reason, otherwise: nil)
    default: throw Refusal(.effectGone, "the effect \(id) does not end like this")
    }
    finishTurn()
  }

  /// A timer is a stepper of its screen: covered, its step does not pass unless its contribution listens. A higher level covers nothing
  /// for it.
  private mutating func sendTimerStep(_ step: Step, of effect: Effect) throws(Refusal) {
    guard let owner = effect.owner, let record = state.nodes.record(owner), let flow = record.hearer else { return }
    if record.isLeaf, !record.isFlow, isGated(record), state.isCoveredInWindow(record) { return drop(step, "hidden") }
    send(intent(step), to: effect.to, as: .toParent, by: flow, emitter: state.emitter(record), otherwise: flow)
  }

  private mutating func finishLoad(
    _ effect: Effect, _ value: Value, then: StepTemplate?, otherwise: StepTemplate?
  ) throws(Refusal) {
    guard let owner = effect.owner, let record = state.nodes.record(owner), let flow = record.hearer else { return }
    guard value.isWithinBounds else { return failLoad(effect, "malformed: too large", otherwise: otherwise) }
    var scope = Scope(emitter: state.emitter(record))
    scope.result = value
    let next: Intent?
    do {
      next = try then.map { template throws(Refusal) in try step(from: program.mold(template), in: scope) }
    } catch {
      return failLoad(effect, "malformed: \(error.detail)", otherwise: otherwise)
    }
    try meter.write(value, as: "the content of", state.nodes.name(of: record))
    state.nodes.setContent(Content(status: .loaded, value: value), of: owner)
    note(Event(.loadFinished, node: owner))
    if let next { send(next, to: then?.to, as: .toParent, by: flow, emitter: state.emitter(owner), otherwise: flow) }
  }

  private mutating func failLoad(_ effect: Effect, _ reason: String, otherwise: StepTemplate?) {
    guard let owner = effect.owner, let record = state.nodes.record(owner), let flow = record.hearer else { return }
    let before = state.emitter(record)
    state.nodes.setContent(Content(status: .failed, value: before.content?.value, error: reason), of: owner)
    note(Event(.loadFailed, node: owner, reason: reason))
    guard let otherwise else { return }
    do {
      var scope = Scope(emitter: before)
      scope.failure = CallFailure(reason)
      try send(program.mold(otherwise), as: .toParent, by: flow, emitter: state.emitter(owner), otherwise: flow, scope: scope)
    } catch {
      drop(Step(otherwise.step), error.code.rawValue)
    }
  }
}
