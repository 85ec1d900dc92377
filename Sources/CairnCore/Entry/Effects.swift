/// Starts and cancels effects, which belong to a node or to the session.
enum Effects {
  /// Starts a load. A node has one load at a time. While a load is running, a new load with `restart` replaces it; any other new load
  /// changes nothing (`already-loading`). Throws if the URL or a header is invalid, or if a bound is exceeded.
  @discardableResult static func startLoad(_ run: inout Run, _ load: Load, of owner: NodeID, scope: Scope) throws(Refusal) -> NoChange? {
    let loads = run.state.effects.filter { $0.owner == owner && $0.isLoad }
    // A load that was stopped when its node was covered does not prevent another load.
    if !load.restart, loads.contains(where: { !$0.isIdle }) { return .alreadyLoading }
    if !loads.isEmpty { cancel(&run) { $0.owner == owner && $0.isLoad } }
    try Limits.checkEffects(run)
    let then = run.evaluator.partial(load.then, in: scope, run.state)
    let otherwise = run.evaluator.partial(load.otherwise, in: scope, run.state)
    let delay = delay(run, of: load)
    let work: Effect.Work
    switch load.source {
    case .value(let expression):
      work = .value(run.value(of: expression, in: scope) ?? .null, delay: delay, then: then, otherwise: otherwise)
    case .request(let request):
      #if CLIENT_ENGINE
        // A client's definition omits the requests of loads.
        let (url, terms): (String, CallTerms?) = ("", nil)
      #else
        let url = try run.url(of: request.url, in: scope)?.word ?? ""
        let terms = try terms(&run, of: request, in: scope)
      #endif
      work = .request(url: url, bearer: request.bearer, delay: delay, then: then, otherwise: otherwise, terms: terms)
    }
    try start(&run, work, owner: owner, EffectTerms(whileVisible: load.whileVisible))
    noteLoading(&run, owner)
    return nil
  }

  private static func noteLoading(_ run: inout Run, _ owner: NodeID) {
    run.state.nodes.setContent(Content(status: .loading, value: run.state.nodes.details(of: owner).content?.value), of: owner)
    run.report.note(Event(.loadStarted, flow: nil, node: owner))
  }

  /// The delay of a load in milliseconds. A load that restarts itself is delayed by at least `Restarts.interval`.
  private static func delay(_ run: borrowing Run, of load: Load) -> WideInt {
    #if CLIENT_ENGINE
      return load.delay
    #else
      let restarts = run.isEndOfEffect && load.endsAtOnce.contains { run.program.restarts.ends.contains($0.step) }
      return restarts ? max(load.delay, Restarts.interval) : load.delay
    #endif
  }

  static func startTimer(_ run: inout Run, _ template: CompiledTimer, of owner: NodeID, scope: Scope) throws(Refusal) {
    let timer = template.timer
    if timer.restarts { cancel(&run) { $0.owner == owner && $0.timerName == timer.name } }
    guard var delay = try run.delay(of: timer, in: scope) else {
      return run.report.note(Event(.timerSkipped, node: owner, step: Step(timer.step.step)))
    }
    if timer.value != nil { delay = max(delay, run.shortestDelay) }
    try Limits.checkEffects(run)
    let step = try run.step(from: template.step, in: scope).step
    try start(
      &run,
      .timer(name: timer.name, step: step, delay: delay, period: timer.repeats ? delay : nil, ticks: 0),
      owner: owner,
      EffectTerms(
        whileVisible: timer.whileVisible, covered: timer.covered ?? covered(run, of: owner), isIdle: timer.startsSeen,
        isMoment: timer.isMoment, zone: timer.isDaily ? timer.value.flatMap { run.value(of: $0, in: scope)?.word } : nil,
        timeOfDay: timer.isDaily ? timer.delay : 0, to: template.step.to),
      at: run.timerTime
    )
  }

  /// The default treatment of a timer that is due while its node is covered. The timer of a screen waits, unless the screen's steps are
  /// accepted while it is covered. Any other timer fires.
  private static func covered(_ run: borrowing Run, of owner: NodeID) -> Timer.Covered {
    guard let record = run.state.nodes.record(owner), record.isLeaf, !record.isFlow else { return .fire }
    return PostedSteps.isGated(run, record) ? .wait : .fire
  }

  static func start(
    _ run: inout Run, _ work: Effect.Work, owner: NodeID?, _ terms: EffectTerms = EffectTerms(), at time: WideInt? = nil
  ) throws(Refusal) {
    if run.meter.isCounting { try run.meter.write(State.itemSize + work.size) }
    run.state.effectBook.start(work, owner: owner, at: time ?? run.stamp.time, received: time.map { _ in run.stamp.time }, terms)
  }

  /// Cancels the effects that satisfy the predicate. The content of a node whose load is cancelled changes from `loading` to `idle`.
  static func cancel(_ run: inout Run, where isMeant: (Effect) -> Bool) {
    guard run.state.effectBook.contains(where: isMeant) else { return }
    for effect in run.state.effectBook.takeBack(where: isMeant) { noteCancelled(&run, effect) }
  }

  private static func noteCancelled(_ run: inout Run, _ effect: Effect) {
    guard effect.isLoad, !effect.isIdle, let owner = effect.owner else { return }
    run.report.note(Event(.loadCancelled, node: owner))
    guard var content = run.state.nodes.details(of: owner).content, content.status == .loading else { return }
    content.status = .idle
    run.state.nodes.setContent(content, of: owner)
  }

  /// Performs the operation `cancel`: cancels the effects of a node and its descendants, except inactivity timers. With a name, cancels only timers of that
  /// name, including those of the flow itself (`on: flow`).
  static func cancel(_ run: inout Run, named name: String?, below node: NodeID, of flow: NodeID) {
    var nodes = Set(run.state.subtree(of: node))
    if name != nil { nodes.insert(flow) }
    cancel(&run) { effect in
      guard let owner = effect.owner, nodes.contains(owner) else { return false }
      guard let name else { return !effect.isInactivity }
      return effect.timerName == name
    }
  }

  /// Stops the effects with `while: visible` whose node is now covered, and restarts those whose node is visible again: a user who returns
  /// to a page wants fresh data (Android's `repeatOnLifecycle` does the same). Starts the timers with `start: seen` whose node the user
  /// sees for the first time. Pauses the timers of overlays that are not visible, and resumes the timers of those that are visible again.
  static func followCover(_ run: inout Run) {
    if run.state.mayFollowCover { moveWithCover(&run) }
  }

  @inline(never)
  private static func moveWithCover(_ run: inout Run) {
    // A container is visible if a leaf in it is visible.
    let visible = Set(run.state.visibleLeaves.flatMap { run.state.ancestors(of: $0.nodeID, acrossModals: false) })
    let seen = run.state.seenNodes
    for effect in run.state.effects {
      guard let owner = effect.owner else { continue }
      if effect.closes {
        let isShown = run.state.nodes.levels.isEmpty && run.state.nodes.overlays.contains(owner)
        if effect.isIdle == isShown { isShown ? begin(&run, effect) : pause(&run, effect) }
      } else if effect.isIdle {
        if effect.whileVisible ? visible.contains(owner) : seen.contains(owner) { begin(&run, effect) }
      } else if effect.whileVisible, !visible.contains(owner) {
        noteCancelled(&run, effect)
        // If steps of the covered page are accepted (`compat`), the effect ends, as in the navigation libraries whose behavior `compat`
        // keeps.
        if run.state.nodes.record(owner).map({ PostedSteps.isGated(run, $0) }) == true {
          run.state.effectBook.change(effect.id) { $0.isIdle = true }
        } else {
          run.state.effectBook.end(effect.id)
        }
      }
    }
  }

  /// Pauses a timer. When it is resumed, only its remaining time is counted.
  private static func pause(_ run: inout Run, _ effect: Effect) {
    guard case .timer(let name, let step, _, let period, let ticks) = effect.work else { return }
    let left = max(0, effect.due - run.timerTime)
    run.state.effectBook.change(effect.id) {
      $0.isIdle = true
      $0.work = .timer(name: name, step: step, delay: left, period: period, ticks: ticks)
    }
  }

  private static func begin(_ run: inout Run, _ effect: Effect) {
    let (time, received) = (effect.isLoad ? run.stamp.time : run.timerTime, run.stamp.time)
    run.state.effectBook.change(effect.id) {
      if !$0.isMoment { $0.start = time }
      #if !CLIENT_ENGINE
        $0.received = time == received ? nil : received
      #endif
      $0.isIdle = false
    }
    run.state.effectBook.noteTick(0, of: effect.id)
    if effect.isLoad, let owner = effect.owner { noteLoading(&run, owner) }
  }

  /// Records ticks of repeating timers with `covered: wait`. If the action has covered a timer's page, records the ticks that had passed
  /// before. If the action has uncovered the page, records that a tick has waited.
  static func noteTicks(_ run: inout Run, since old: State) {
    guard run.state.mayHaveWaitingTicks else { return }
    let time = run.stamp.time
    for effect in run.state.effects where effect.isRepeating && effect.covered == .wait && !effect.isIdle {
      guard let past = old.effectBook[effect.id] else { continue }
      let (waited, waits) = (past.isWaiting(in: old), effect.isWaiting(in: run.state))
      if !waited, waits {
        run.state.effectBook.noteTick(max(effect.ticks, effect.ticks(until: time)), of: effect.id)
      } else if waited, !waits, effect.due <= time {
        run.state.effectBook.change(effect.id) { $0.hasWaited = true }
      }
    }
  }

  /// The owner of a load: the nearest node at the place or, without a place, the node of the anchor; `nil` if that node has been removed. Throws
  /// `screen-not-found` if no node is at the place.
  static func owner(_ run: borrowing Run, _ anchor: Operation.Anchor, nearest place: Place?, in context: borrowing InstructionContext)
    throws(Refusal) -> NodeID?
  {
    guard let place else { return Flows.anchored(run, anchor, in: context) }
    guard let found = run.evaluator.node(at: place, in: context.scope, run.state) else {
      throw Refusal(.screenNotFound, "\(place.name) is not in the tree, so no load is started for it")
    }
    return found
  }

  #if !CLIENT_ENGINE
    /// The terms of a request except its URL, evaluated now; `nil` for a plain GET. Throws `value-mismatch` if the value of a header
    /// contains a character that a header must not contain.
    static func terms(_ run: inout Run, of request: LoadRequest, in scope: Scope) throws(Refusal) -> CallTerms? {
      var terms = CallTerms(
        method: request.method, variables: request.variables, timeout: request.timeout, retry: request.retry, polling: request.polling)
      if let body = request.body {
        // A request has no body if the value is missing or null.
        if let value = run.value(of: body, in: scope), value != .null {
          try run.meter.write(value, as: "the body of a load")
          terms.body = value
        }
      }
      for (name, expression) in request.headers.sortedByKey {
        let value = run.value(of: expression, in: scope)
        if case .sealed(let number)? = value { terms.sealedHeaders[name] = number }
        guard let word = value?.word else { continue }
        guard HeaderText.isValue(word) else {
          throw Refusal(.valueMismatch, "the header \(name) of a load contains characters that are not allowed in a header")
        }
        terms.headers[name] = word
      }
      terms.secretMembers = request.secretMembers
      terms.polling?.until = request.polling?.until.map { run.evaluator.partial($0, in: scope, run.state) }
      return terms.isPlain ? nil : terms
    }
  #endif
}
