/// Starts and cancels effects, which belong to a node or to the session.
enum Effects {
  /// Starts a load. A node has one load at a time: while one runs, another one changes nothing, or replaces it if `restart` is set.
  @discardableResult static func startLoad(_ run: inout Run, _ load: Load, of owner: NodeID, scope: Scope) throws(Refusal) -> NoChange? {
    let running = run.state.effectBook.contains { $0.owner == owner && $0.isLoad }
    if running && !load.restart { return .alreadyLoading }
    if running { cancel(&run) { $0.owner == owner && $0.isLoad } }
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
    try start(&run, work, owner: owner, whileVisible: load.whileVisible)
    run.state.nodes.setContent(Content(status: .loading, value: run.state.nodes.details(of: owner).content?.value), of: owner)
    run.report.note(Event(.loadStarted, flow: nil, node: owner))
    return nil
  }

  /// The delay of a load in milliseconds. A load that restarts itself is delayed by at least `Restarts.interval`.
  private static func delay(_ run: borrowing Run, of load: Load) -> WideInt {
    let restarts = run.isEndOfEffect && load.endsAtOnce.contains { run.program.restarts.ends.contains($0.step) }
    return restarts ? max(load.delay, Restarts.interval) : load.delay
  }

  static func startTimer(_ run: inout Run, _ template: CompiledTimer, of owner: NodeID, scope: Scope) throws(Refusal) {
    try Limits.checkEffects(run)
    let step = try run.step(from: template.step, in: scope).step
    let timer = template.timer
    try start(
      &run,
      .timer(name: timer.name, step: step, delay: timer.delay, period: timer.repeats ? timer.delay : nil, ticks: 0),
      owner: owner, whileVisible: timer.whileVisible, to: template.step.to)
  }

  static func start(
    _ run: inout Run, _ work: Effect.Work, owner: NodeID?, whileVisible: Bool = false, to destination: Operation.Destination? = nil
  ) throws(Refusal) {
    if run.meter.isCounting { try run.meter.write(State.itemSize + work.size) }
    run.state.effectBook.start(work, owner: owner, at: run.stamp.time, whileVisible: whileVisible, to: destination)
  }

  /// Cancels the effects that satisfy the predicate. The content of a node whose load is cancelled changes from `loading` to `idle`.
  static func cancel(_ run: inout Run, where isMeant: (Effect) -> Bool) {
    guard run.state.effectBook.contains(where: isMeant) else { return }
    for effect in run.state.effectBook.takeBack(where: isMeant) {
      guard effect.isLoad, let owner = effect.owner else { continue }
      run.report.note(Event(.loadCancelled, node: owner))
      guard var content = run.state.nodes.details(of: owner).content, content.status == .loading else { continue }
      content.status = .idle
      run.state.nodes.setContent(content, of: owner)
    }
  }

  /// The `cancel` operation: cancels the effects of a node and its descendants. With a name, only timers of that name, including those of the
  /// flow itself (`on: flow`).
  static func cancel(_ run: inout Run, named name: String?, below node: NodeID, of flow: NodeID) {
    var nodes = Set(run.state.subtree(of: node))
    if name != nil { nodes.insert(flow) }
    cancel(&run) { effect in
      guard let owner = effect.owner, nodes.contains(owner) else { return false }
      guard let name else { return true }
      if case .timer(let timerName, _, _, _, _) = effect.work { return timerName == name }
      return false
    }
  }

  /// Cancels effects with `while: visible` whose node is not visible.
  static func cancelCovered(_ run: inout Run) {
    guard run.state.hasEffects, run.state.effectBook.contains(where: { $0.whileVisible }) else { return }
    // A container is visible if a leaf in it is.
    let visible = Set(run.state.visibleLeaves.flatMap { run.state.ancestors(of: $0.nodeID, acrossModals: false) })
    cancel(&run) { effect in effect.whileVisible && effect.owner.map { !visible.contains($0) } ?? false }
  }

  /// The owner of a load: the nearest node at that place or, without a place, the node of the anchor; `nil` if that has been removed.
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
    /// The terms of a request except its URL, evaluated now; `nil` for a plain GET.
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
      terms.polling?.until = request.polling?.until.map { run.evaluator.partial($0, in: scope, run.state) }
      return terms.isPlain ? nil : terms
    }
  #endif
}
