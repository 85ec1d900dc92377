/// Handles the end of an effect and the ticks of timers.
enum EffectEnds {
  /// Applies the end of an effect or the tick of a timer. Throws `effect-gone` if the effect has ended or was cancelled, waits for its page or for another
  /// message, or cannot end with this kind of result.
  static func complete(_ run: inout Run, _ id: Effect.ID, _ completion: Action.Completion) throws(Refusal) {
    // In older journals, the end of a held link has the id 0, because a session could hold only one link.
    if id <= 0, completion == .due(tick: 1), let held = run.state.pendingLinks.first(where: { id == 0 || Effect.end(of: $0.id) == id }),
      run.stamp.time >= held.until
    {
      return HeldLinks.drop(&run, held.id, "expired")
    }
    #if !CLIENT_ENGINE
      // The deadline of a held action has passed. The action is performed after this turn.
      if id < 0, completion == .due(tick: 1), run.state.heldActions.contains(where: { $0.end.id == id && $0.until <= run.stamp.time }) {
        return
      }
    #endif
    guard let effect = run.state.effectBook[id] else {
      throw Refusal(.effectGone, "the effect \(id) has ended or was cancelled")
    }
    switch (effect.work, completion) {
    case (.timer, .due) where effect.isIdle || effect.isWaiting(in: run.state):
      throw Refusal(.effectGone, "the timer \(id) waits until its page is seen, so it cannot end yet")
    case (.timer, .due) where effect.owner == nil:
      run.state.effectBook.end(id)
      #if !CLIENT_ENGINE
        Moments.judge(&run, since: effect.due)
      #endif
    case (.message, _) where effect.isIdle:
      throw Refusal(.effectGone, "the message \(id) waits for an earlier message, so it cannot end yet")
    #if !CLIENT_ENGINE
      case (.message(let message), _): try Messages.end(&run, effect, message, completion)
    #endif
    case (.timer, .due(let tick)): try perform(&run, tick, of: effect)
    case (.value(let value, _, let then, let otherwise), .due):
      run.state.effectBook.end(id)
      try finishLoad(&run, effect, value, then: then, otherwise: otherwise)
    case (.request(_, _, _, let then, let otherwise, let terms), .loaded(let value)):
      if let polling = terms?.polling, try !ends(&run, polling, effect, with: value, then: then) { break }
      run.state.effectBook.end(id)
      try finishLoad(&run, effect, value, then: then, otherwise: otherwise)
    case (.request(_, let bearer, _, _, let otherwise, _), .failed(let reason)):
      run.state.effectBook.end(id)
      failLoad(&run, effect, reason, otherwise: otherwise)
      if bearer { Logins.tokenWasRefused(&run, by: reason) }
    case (.request(_, true, _, _, _, _), .tokenExpired): try Refreshes.start(&run)
    case (.exchange(let grant), .exchanged):
      run.state.effectBook.end(id)
      if grant == .refresh { Refreshes.succeeded(&run) } else { Logins.tokenArrived(&run) }
    case (.exchange(let grant), .failed(let reason)), (.exchange(let grant), .abandoned(let reason)):
      run.state.effectBook.end(id)
      if grant == .refresh { Refreshes.failed(&run, reason) } else { Logins.exchangeFailed(&run, reason) }
    case (.timer(_, let step, _, _, _), .abandoned(let reason)):
      run.state.effectBook.end(id)
      run.report.note(Event(.timerFailed, node: effect.owner, step: step, reason: reason))
    case (.value, .abandoned(let reason)), (.request, .abandoned(let reason)):
      run.state.effectBook.end(id)
      failLoad(&run, effect, reason, otherwise: nil)
    default: throw Refusal(.effectGone, "the effect \(id) cannot end with this kind of result")
    }
    run.finishTurn()
  }

  /// Performs a tick of a timer. A timer without a period ends with its only tick.
  static func perform(_ run: inout Run, _ tick: WideInt, of timer: Effect) throws(Refusal) {
    guard case .timer(_, let step, _, let period, _) = timer.work else { return }
    run.tick = (timer.id, tick)
    if let period {
      #if !CLIENT_ENGINE
        if timer.hasWaited { resume(&run, timer, period, tick) }
      #endif
    } else {
      run.state.effectBook.end(timer.id)
      #if !CLIENT_ENGINE
        Moments.startNextDay(&run, of: timer)
      #endif
    }
    try sendTimerStep(&run, step, of: timer)
  }

  /// Lets a repeating timer count its next period from now, because this tick has waited. Otherwise the next tick could follow immediately.
  private static func resume(_ run: inout Run, _ effect: Effect, _ period: WideInt, _ tick: WideInt) {
    let start = run.stamp.time.subtractingSaturated(period.multipliedSaturated(by: tick))
    run.state.effectBook.change(effect.id) {
      $0.start = max(0, start)
      $0.hasWaited = false
    }
    run.state.effectBook.noteTick(tick, of: effect.id)
  }

  /// Sends the step of a timer. With `covered: drop`, the step of a covered screen is dropped. Higher levels do not count as covering. The timer that closes an
  /// overlay sends no step, but removes the overlay.
  static func sendTimerStep(_ run: inout Run, _ step: Step, of effect: Effect) throws(Refusal) {
    guard let owner = effect.owner, let record = run.state.nodes.record(owner), let flow = record.handlingFlow else { return }
    if effect.closes { return Removal.leave(&run, owner) }
    if effect.covered != .fire, effect.isPageCovered(in: run.state) { return run.drop(step, "hidden") }
    Sending.send(&run, run.intent(step), to: effect.to, as: .toParent, by: flow, emitter: Emitter(record, in: run.state), otherwise: flow)
  }

  static func finishLoad(
    _ run: inout Run, _ effect: Effect, _ value: Value, then: StepTemplate?, otherwise: StepTemplate?
  ) throws(Refusal) {
    guard let owner = effect.owner, let record = run.state.nodes.record(owner), let flow = record.handlingFlow else { return }
    guard value.isWithinBounds else { return failLoad(&run, effect, "malformed: the response is too large", otherwise: otherwise) }
    var scope = Scope(emitter: Emitter(record, in: run.state))
    scope.result = value
    let next: Intent?
    do {
      next = try then.map { template throws(Refusal) in try run.step(from: run.program.compile(template), in: scope) }
    } catch {
      return failLoad(&run, effect, "malformed: \(error.detail)", otherwise: otherwise)
    }
    try run.meter.write(value, as: "the content of", run.state.nodes.name(of: record))
    run.state.nodes.setContent(Content(status: .loaded, value: value), of: owner)
    run.report.note(Event(.loadFinished, node: owner))
    if let next {
      Sending.send(&run, next, to: then?.to, as: .toParent, by: flow, emitter: Emitter(of: owner, in: run.state), otherwise: flow)
    }
  }

  static func failLoad(_ run: inout Run, _ effect: Effect, _ reason: String, otherwise: StepTemplate?) {
    guard let owner = effect.owner, let record = run.state.nodes.record(owner), let flow = record.handlingFlow else { return }
    let before = Emitter(record, in: run.state)
    run.state.nodes.setContent(Content(status: .failed, value: before.content?.value, error: reason), of: owner)
    run.report.note(Event(.loadFailed, node: owner, reason: reason))
    guard let otherwise else { return }
    do {
      var scope = Scope(emitter: before)
      scope.failure = CallFailure(reason)
      try Sending.send(
        &run, run.program.compile(otherwise), as: .toParent, by: flow, emitter: Emitter(of: owner, in: run.state), otherwise: flow,
        scope: scope)
    } catch {
      run.drop(Step(otherwise.step), error.code.rawValue)
    }
  }

  /// Handles a result of a repeated request, and returns whether it is the last one. A result that equals the current content changes
  /// nothing.
  static func ends(
    _ run: inout Run, _ polling: Polling, _ effect: Effect, with value: Value, then: StepTemplate?
  ) throws(Refusal) -> Bool {
    var scope = Scope()
    scope.result = value
    scope.flow = effect.owner.flatMap { run.state.nodes.record($0)?.handlingFlow }
    if let until = polling.until, run.holds(until, in: scope) { return true }
    guard let owner = effect.owner, let record = run.state.nodes.record(owner) else { return true }
    let content = run.state.nodes.details(of: record).content
    if content?.status == .loaded, content?.value == value {
      run.report.explain(.sameResult)
      return false
    }
    guard value.isWithinBounds else { return true }
    try run.meter.write(value, as: "the content of", run.state.nodes.name(of: record))
    run.state.nodes.setContent(Content(status: .loaded, value: value), of: owner)
    run.report.note(Event(.loadChanged, node: owner))
    // Without an end condition, every changed result sends the step.
    if polling.until == nil, let then { try sendThen(&run, then, of: effect, with: value) }
    return false
  }

  /// Sends the step of one result of a repeated request. If the result does not fit the step's params, the step is dropped, because other results follow.
  static func sendThen(_ run: inout Run, _ then: StepTemplate, of effect: Effect, with value: Value) throws(Refusal) {
    guard let owner = effect.owner, let record = run.state.nodes.record(owner), let flow = record.handlingFlow else { return }
    var scope = Scope(emitter: Emitter(record, in: run.state))
    scope.result = value
    do {
      try Sending.send(
        &run, run.program.compile(then), as: .toParent, by: flow, emitter: Emitter(record, in: run.state), otherwise: flow, scope: scope)
    } catch {
      run.drop(Step(then.step), error.code.rawValue)
    }
  }
}
