/// One action being run: the state as it becomes, and what is collected on the way.
struct Run: ~Copyable {
  var evaluator: Evaluator
  var state: State
  /// The work of the request so far.
  var meter: Meter
  var turns = TurnQueue()
  var report = Report()
  /// The parents of the flows that the action took away.
  var parents: [NodeID: NodeID] = [:]
  /// Whether the end of an effect began the action.
  var isEndOfEffect = false
  /// The nodes whose records the action has written.
  private let edited: UnsafeMutablePointer<EditedNodes>

  var program: Program { evaluator.program }
  var definition: Definition { evaluator.program.definition }
  var stamp: Stamp { evaluator.stamp }

  init(_ program: Program, state: State, stamp: Stamp, meter: Meter) {
    evaluator = Evaluator(program: program, stamp: stamp)
    self.meter = meter
    self.state = state
    edited = .allocate(capacity: 1)
    edited.initialize(to: EditedNodes())
    self.state.nodes.adopt(program.names)
    self.state.nodes.edited = edited
  }

  deinit {
    edited.deinitialize(count: 1)
    edited.deallocate()
  }

  /// The nodes that were written, sorted. Later writes are not noted.
  mutating func takeEdits() -> EditedNodes {
    state.nodes.edited = nil
    edited.pointee.sort()
    return edited.pointee
  }

  /// Puts the state back to what it was earlier in the action.
  mutating func undo(to before: State) {
    state = before
    edited.pointee.forgetKeptChildren()
  }

  /// Runs the whole action. A refusal means that nothing of it happened.
  mutating func apply(_ action: Action) throws(Refusal) {
    report.explain(try begin(action))
    finishTurn()
    try drain()
    Effects.cancelCovered(&self)
  }

  /// Runs the turns of all queued steps until everything has settled.
  mutating func drain() throws(Refusal) {
    try drainTurns()
    while try settle() { try drainTurns() }
  }

  /// With no turn to come, what waited for that: held links are judged, and one that has become possible is followed. false: nothing moves
  /// any more. One at a time, so that each finds what the one before has done.
  private mutating func settle() throws(Refusal) -> Bool { try HeldLinks.resume(&self) }

  private mutating func drainTurns() throws(Refusal) {
    while let item = turns.take() {
      guard Results.isWanted(self, item) else { continue }
      if case .all = item.receiver {
        turns.spread(item, over: state.flows(from: [state.root]))
        continue
      }
      let before = state
      do {
        try take(item)
      } catch  where !error.code.isBound {
        // A later turn that would be refused is undone without the others.
        undo(to: before)
        drop(item.intent.step, error.code.rawValue)
      }
    }
    Levels.presentWaiting(&self)
  }

  /// One turn: adapt, willNavigate, the operations, didNavigate; its follow-ups are appended. On a refusal the caller
  /// puts the state back.
  mutating func take(_ item: TurnQueue.Item) throws(Refusal) {
    guard turns.begin(broadcast: item.isBroadcast ? item.intent : nil) else {
      throw Refusal(
        .stepLoop, "more than \(TurnQueue.limit) turns: steps that send each other, the last one \(item.intent.step.step)")
    }
    let eventCount = report.events.count
    do {
      try charge(item.intent.step)
      try Handling.handle(&self, item)
    } catch {
      report.forgetEvents(after: eventCount)
      turns.clear()
      throw error
    }
    finishTurn()
  }

  /// A turn with its two events, which tell the step.
  private mutating func charge(_ step: Step) throws(Refusal) {
    guard meter.isCounting else { return }
    try meter.work(Meter.Cost.turn, nodes: state.nodes.count)
    try meter.write(Meter.Cost.events)
    guard !step.params.isEmpty else { return }
    try meter.write(step.params, as: "the params of the step", step.step)
    try meter.write(step.params.size)
  }

  /// Appends what the turn has collected, the steps of rules among it.
  mutating func finishTurn() {
    if !turns.written.isEmpty {
      if !program.collapses.isEmpty { Collapsing.layOutSplits(&self, naming: turns.written) }
      followRules(naming: turns.written)
    }
    turns.finish()
  }

  /// Rules go to the root flow, in file order; nil: all of them (the start).
  mutating func followRules(naming written: Set<String>?) {
    for rule in program.rules {
      if let written, rule.facts.isDisjoint(with: written) { continue }
      guard holds(rule.when, in: Scope()) else { continue }
      do {
        try Sending.send(&self, rule.step, as: .rule, by: state.root, emitter: nil, otherwise: state.root, scope: Scope())
      } catch {
        drop(Step(rule.step.name), error.code.rawValue)
      }
    }
  }

  mutating func drop(_ step: Step, _ why: String, flow: NodeRecord? = nil) {
    report.note(Event(.dropped, flow: flow.flatMap { state.nodes.flow(of: $0) }, node: flow?.nodeID, step: step, reason: why))
    report.explainDrop(why)
  }

  // Results of the evaluator for the current state.

  func value(of expression: Expression, in scope: Scope) -> Value? { evaluator.value(of: expression, in: scope, state) }

  func url(of expression: Expression, in scope: Scope) throws(Refusal) -> Value? { try evaluator.url(of: expression, in: scope, state) }

  func holds(_ condition: Guard, in scope: Scope) -> Bool { evaluator.holds(condition, in: scope, state) }

  func step(from template: CompiledStep, in scope: Scope) throws(Refusal) -> Intent { try evaluator.step(from: template, in: scope, state) }

  /// A step that is known by its name.
  func intent(_ step: Step) -> Intent { Intent(number: program.step(step.step) ?? -1, step: step) }
}
