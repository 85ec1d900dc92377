/// The execution of one action: the changing state, and the collected events and steps.
struct Run: ~Copyable {
  var evaluator: Evaluator
  var state: State
  /// The work that the request has done so far.
  var meter: Meter
  var turns = TurnQueue()
  var report = Report()
  /// The parent flows of the flows that the action removed.
  var parents: [NodeID: NodeID] = [:]
  /// Whether the action is the end of an effect.
  var isEndOfEffect = false
  /// The nodes that the action has written.
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

  /// Returns the nodes that were written, sorted. Later writes are not recorded.
  mutating func takeEdits() -> EditedNodes {
    state.nodes.edited = nil
    edited.pointee.sort()
    return edited.pointee
  }

  /// Restores an earlier state of this action.
  mutating func undo(to before: State) {
    state = before
    edited.pointee.forgetKeptChildren()
  }

  /// Runs the whole action. If it throws, the caller discards the state.
  mutating func apply(_ action: Action) throws(Refusal) {
    report.explain(try begin(action))
    finishTurn()
    try drain()
    Effects.cancelCovered(&self)
  }

  /// Runs the turns of all queued steps, then follows held links, until nothing is left to do.
  mutating func drain() throws(Refusal) {
    try drainTurns()
    while try settle() { try drainTurns() }
  }

  /// Follows one held link whose condition has become true; called when no steps are queued. Returns `false` if there is no such link. Only
  /// one link is followed at a time, so that the next one is checked against the resulting state.
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
        // If a later turn is refused, only that turn is undone.
        undo(to: before)
        drop(item.intent.step, error.code.rawValue)
      }
    }
    Levels.presentWaiting(&self)
  }

  /// Runs one turn: adapt, willNavigate, the operations, didNavigate. Then queues its follow-up steps. If it throws, the caller restores the state.
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

  /// Counts the work of a turn and of its two events, which contain the step.
  private mutating func charge(_ step: Step) throws(Refusal) {
    guard meter.isCounting else { return }
    try meter.work(Meter.Cost.turn, nodes: state.nodes.count)
    try meter.write(Meter.Cost.events)
    guard !step.params.isEmpty else { return }
    try meter.write(step.params, as: "the params of the step", step.step)
    try meter.write(step.params.size)
  }

  /// Ends a turn: queues the steps that it has collected, and those of rules whose facts it has written.
  mutating func finishTurn() {
    if !turns.written.isEmpty {
      if !program.collapses.isEmpty { Collapsing.layOutSplits(&self, naming: turns.written) }
      followRules(naming: turns.written)
    }
    turns.finish()
  }

  /// Sends the steps of rules to the root flow, in the order of the definition. `written`: the facts that were written; `nil` checks all
  /// rules, as at the start.
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

  // Values and conditions, evaluated for the current state.

  func value(of expression: Expression, in scope: Scope) -> Value? { evaluator.value(of: expression, in: scope, state) }

  func url(of expression: Expression, in scope: Scope) throws(Refusal) -> Value? { try evaluator.url(of: expression, in: scope, state) }

  func holds(_ condition: Guard, in scope: Scope) -> Bool { evaluator.holds(condition, in: scope, state) }

  func step(from template: CompiledStep, in scope: Scope) throws(Refusal) -> Intent { try evaluator.step(from: template, in: scope, state) }

  /// Looks up the number of a step's name; -1 if no step has that name.
  func intent(_ step: Step) -> Intent { Intent(number: program.step(step.step) ?? -1, step: step) }
}
