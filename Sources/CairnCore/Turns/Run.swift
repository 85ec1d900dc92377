/// One action in progress: the new state and everything collected for the response.
struct Run: ~Copyable {
  var evaluator: Evaluator
  var state: State
  /// The work of the request so far, and its limits.
  var meter: Meter
  var turns = TurnQueue()
  var report = Report()
  /// The parents of the flows that the action has removed.
  var parents: [NodeID: NodeID] = [:]
  /// The place that is opened by the link or tapped notification that is being followed; `nil` if none is being followed.
  var linked: LinkedPlace?
  /// Whether the action is the end of an effect.
  var isEndOfEffect = false
  /// The timer of which the action is a tick, with the number of the tick; `nil` for other actions.
  var tick: (timer: Effect.ID, number: WideInt)?
  /// The kind of the action; `nil` while a session is created, and if the program does not follow gestures (`Program.followsGestures`).
  private(set) var kind: Action.Kind?
  /// The gated tab that the running turn could not select; `nil` if there is none.
  var closedGate: NodeID?
  /// Whether a step that selects a closed tab is refused instead of waiting. Set while a link's steps are tried out (`Asking`), and for the
  /// tab's own `else` step.
  var stopsAtGates = false
  /// The last tab container with a history in which the action selected a tab; `nil` if there is none.
  var selectedTabs: NodeID?
  /// Whether any cover is lifted off the tree.
  var isLifting = false
  #if !CLIENT_ENGINE
    /// Whether a held action is being performed.
    var isReleasing = false
  #endif
  /// Nodes with this number or a higher one were created by the action.
  let firstNode: WideInt
  /// Whether the definition has nodes with `seen` or `unseen` steps.
  private let followsSight: Bool
  /// The nodes whose records the action has written.
  private let edited: UnsafeMutablePointer<EditedNodes>

  var program: Program { evaluator.program }
  var definition: Definition { evaluator.program.definition }
  var stamp: Stamp { evaluator.stamp }

  // Inlined in the service, because a call would copy the state once more.
  #if !CLIENT_ENGINE
    @inline(__always)
  #endif
  init(_ program: Program, state: State, stamp: Stamp, meter: Meter) {
    evaluator = Evaluator(program: program, stamp: stamp)
    followsSight = program.followsSight
    firstNode = state.nextNode
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

  /// Returns the written nodes in sorted order. Later writes are not recorded.
  mutating func takeEdits() -> EditedNodes {
    state.nodes.edited = nil
    edited.pointee.sort()
    return edited.pointee
  }

  /// Restores an earlier state of the action.
  mutating func undo(to before: State) {
    state = before
    edited.pointee.forgetKeptChildren()
  }

  /// The nodes that were written so far, in sorted order.
  var edits: EditedNodes {
    var edits = edited.pointee
    edits.sort()
    return edits
  }

  /// Runs the whole action. If it throws, the caller discards the run, so the action has no effect.
  mutating func apply(_ action: Action) throws(Refusal) {
    if program.followsGestures { kind = action.kind }
    let lifted =
      switch action {
      // A logout also removes the pages that other clients have opened. If these were lifted off, they would be put back in front of the login page.
      case .contact, .logout: [Lifted]?.none
      default: stamp.isPlain ? nil : lift(from: action.origin)
      }
    report.explain(try begin(action))
    finishTurn()
    try drain()
    if let lifted { try putBack(lifted) }
    if let tabs = selectedTabs { TabHistory.noteArrival(&self, in: tabs) }
    Effects.followCover(&self)
  }

  /// Runs the turns of all queued steps, and then performs the waiting selections, held actions and held links that are possible now (`settle`), until none is
  /// left.
  // Not inlined, like the functions that it calls for links, pages and covered effects. Otherwise the engine in a client would contain this code five
  // times, which is 6 KB with brotli.
  @inline(never)
  mutating func drain() throws(Refusal) {
    try drainTurns()
    while try settle() { try drainTurns() }
  }

  /// Sends the `seen` and `unseen` steps of the nodes that the user has begun or ceased to see, runs the resulting turns, and repeats this until
  /// nothing changes. Called at the end of the action.
  mutating func tellSight() throws(Refusal) {
    guard followsSight else { return }
    while Sight.tell(&self) {
      try drain()
      Effects.followCover(&self)
    }
  }

  /// Ends a question whose node no longer exists. Then does the first of the following that is possible. Returns false if none is.
  ///
  /// 1. Removes the modals over the page that a link has opened.
  /// 2. Performs a waiting selection of a tab.
  /// 3. Releases a held action.
  /// 4. Follows the first held link whose guard is true. Links are followed one at a time, so that each is checked against the result of
  ///    the previous one.
  ///
  /// Must be called when all turns have run.
  private mutating func settle() throws(Refusal) -> Bool {
    Questions.endIfGone(&self)
    if linked != nil, LinkedPlace.uncover(&self) { return true }
    // The check does not read `hasGates`, because a migration may have removed the last gate while a selection waits.
    if state.isAsking, try TabGates.resume(&self) { return true }
    #if !CLIENT_ENGINE
      if state.isHolding, HeldActions.release(&self) { return true }
    #endif
    return try HeldLinks.resume(&self)
  }

  /// Runs the turns of all queued steps, without what `settle` performs.
  mutating func drainTurns() throws(Refusal) {
    while let item = turns.take() {
      guard Results.isWanted(self, item) else { continue }
      if case .all = item.receiver {
        turns.spread(item, over: state.flows(from: [state.root]))
        continue
      }
      let (before, isForgetting) = (state, report.isForgetting)
      do {
        try take(item)
      } catch  where !error.code.isBound {
        // The changes of a refused later turn are undone. The changes of the other turns are kept.
        undo(to: before)
        report.noteForgetting(isForgetting)
        drop(item.intent.step, error.code.rawValue)
      }
    }
    // A level from which a modal is lifted is not free.
    if !isLifting { Levels.presentWaiting(&self) }
  }

  /// Runs one turn. If the turn would select a closed tab, its step waits for the tab instead. If the function throws, the caller restores
  /// the state.
  @inline(__always)
  mutating func take(_ item: consuming TurnQueue.Item) throws(Refusal) {
    if program.hasGates { try TabGates.take(&self, item) } else { try perform(item) }
  }

  /// Runs one turn: adapt, `willNavigate`, the operations, `didNavigate`. Follow-up steps are queued. If it throws, the caller restores the state.
  mutating func perform(_ item: consuming TurnQueue.Item) throws(Refusal) {
    guard turns.begin(broadcast: item.isBroadcast ? item.intent : nil) else {
      throw Refusal(
        .stepLoop,
        "the action exceeds the maximum of \(TurnQueue.limit) turns, because steps send each other; the last step was \(item.intent.step.step)"
      )
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

  /// Counts the work of a turn, and the bytes of the step and of the turn's two events.
  private mutating func charge(_ step: Step) throws(Refusal) {
    guard meter.isCounting else { return }
    try meter.work(Meter.Cost.turn, nodes: state.nodes.count)
    try meter.write(Meter.Cost.events)
    guard !step.params.isEmpty else { return }
    try meter.write(step.params, as: "the params of the step", step.step)
    try meter.write(step.params.size)
  }

  /// Ends a turn: lays out the splits and evaluates the rules whose conditions read written facts, and queues the follow-up steps.
  #if !CLIENT_ENGINE
    @inline(__always)
  #endif
  mutating func finishTurn() {
    if !turns.written.isEmpty {
      if !program.collapses.isEmpty { Collapsing.layOutSplits(&self, naming: turns.written) }
      followRules(naming: turns.written)
    }
    turns.finish()
  }

  /// Evaluates the rules that read a written fact, in file order; `nil` evaluates all rules. Their steps are sent to the root flow.
  mutating func followRules(naming written: Set<String>?) {
    for rule in program.rules {
      if let written, rule.facts.isDisjoint(with: written) { continue }
      follow(rule)
    }
  }

  /// Queues the step of a rule if its condition is true.
  mutating func follow(_ rule: Program.Rule) {
    guard holds(rule.when, in: Scope()) else { return }
    do {
      try Sending.send(&self, rule.step, as: .rule, by: state.root, emitter: nil, otherwise: state.root, scope: Scope())
    } catch {
      drop(Step(rule.step.name), error.code.rawValue)
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

  /// Returns a step as an intent, which has the step's number.
  func intent(_ step: Step) -> Intent { Intent(number: program.step(step.step) ?? -1, step: step) }
}
