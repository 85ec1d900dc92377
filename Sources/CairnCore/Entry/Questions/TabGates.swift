/// The selections of gated tabs. A selection of a tab whose condition is false waits as the session's question. When the condition becomes
/// true, the tab is selected automatically.
enum TabGates {
  /// The gate of a tab, and the flow with the tabs; `nil` if the tab has no gate.
  private static func gate(of tab: NodeID, _ state: State, in program: Program) -> (gate: TabGate, tabs: NodeID)? {
    guard program.hasGates, let record = state.nodes.record(tab), let parent = record.parentID, let tabs = state.nodes.record(parent),
      tabs.kind == .tabs, let gates = program.flow(of: tabs)?.manner.gates, !gates.isEmpty
    else { return nil }
    let name = state.nodes.flow(of: record) ?? state.nodes.name(of: record)
    guard let gate = gates.first(where: { $0.tab.isExactly(name) }) else { return nil }
    return (gate, parent)
  }

  /// Whether a tab is closed: it has a gate, and the gate's condition is false.
  static func isClosed(_ tab: NodeID, _ state: State, _ evaluator: Evaluator) -> Bool {
    guard let found = gate(of: tab, state, in: evaluator.program) else { return false }
    return !evaluator.holds(found.gate.requires, in: Scope(flow: found.tabs), state)
  }

  /// Whether any tab in the tree is closed.
  static func anyIsClosed(_ run: borrowing Run) -> Bool {
    run.program.hasGates
      && run.state.nodes.records.contains { record in
        record.kind == .tabs && run.state.nodes.children(of: record).contains { isClosed($0, run.state, run.evaluator) }
      }
  }

  /// Selects a tab for a handler. Throws `guarded` if the tab is closed; `take` then lets the whole step wait.
  static func select(_ run: inout Run, _ tab: NodeID) throws(Refusal) -> NoChange? {
    if isClosed(tab, run.state, run.evaluator) {
      run.closedGate = tab
      throw Refusal(.guarded, "the tab \(Children.name(run, of: tab)) cannot be selected, because its condition is false")
    }
    return TabsOperations.select(&run, tab)
  }

  /// Runs one turn. If its handler selects a closed tab, all changes of the turn are undone, and its step waits for the tab. Throws if the turn is refused for
  /// another reason.
  @inline(never)
  static func take(_ run: inout Run, _ item: TurnQueue.Item) throws(Refusal) {
    let (before, report) = (run.state, run.report)
    do {
      try run.perform(item)
    } catch {
      guard let tab = run.closedGate, !run.stopsAtGates else { throw error }
      run.closedGate = nil
      // Undoing the turn also removes a tab that the turn itself has created, so nothing can wait for it.
      guard before.stands(tab) else { throw error }
      run.undo(to: before)
      run.report = report
      let flow = try Handling.receiver(run, of: item)
      try wait(&run, .handle(item.intent.step, by: flow, from: item.emitter?.id), for: tab)
    }
  }

  /// Makes an action that selects a closed tab the session's question, and sends the tab's `else` step.
  static func wait(_ run: inout Run, _ aim: Question.Aim, for tab: NodeID) throws(Refusal) {
    guard let found = gate(of: tab, run.state, in: run.program) else { return }
    try run.meter.write(State.itemSize + 2 * aim.size)
    run.report.noteGated()
    try withElse(&run) { run throws(Refusal) in
      try Asking.ask(&run, tab, before: aim, sending: found.gate.otherwise, by: found.tabs, nil)
    }
  }

  /// Sends the `else` step of a tab for a link that is held. The link is held even if the step is refused.
  static func sendElse(_ run: inout Run, of tab: NodeID) throws(Refusal) {
    guard let found = gate(of: tab, run.state, in: run.program), let template = found.gate.otherwise else { return }
    let before = run.state
    do {
      try withElse(&run) { run throws(Refusal) in
        try Sending.sendNow(&run, run.program.compile(template), by: found.tabs, emitter: nil, scope: Scope(flow: found.tabs))
      }
    } catch  where !error.code.isBound {
      run.undo(to: before)
      run.drop(Step(template.step), error.code.rawValue)
    }
  }

  /// Sends an `else` step. Its handler must not select a closed tab, because the step would then be sent endlessly.
  private static func withElse(_ run: inout Run, _ send: (inout Run) throws(Refusal) -> Void) throws(Refusal) {
    let (before, tab) = (run.stopsAtGates, run.closedGate)
    run.stopsAtGates = true
    defer { (run.stopsAtGates, run.closedGate) = (before, tab) }
    try send(&run)
  }

  /// Performs the waiting selection if the condition of its tab is true. Returns false if no selection waits, or if the condition is false. Must be called when
  /// all turns have run.
  static func resume(_ run: inout Run) throws(Refusal) -> Bool {
    guard let question = run.state.question, question.isGate, !isClosed(question.node, run.state, run.evaluator) else { return false }
    let before = run.state
    do {
      try Asking.goOn(&run, question)
      run.finishTurn()
    } catch  where !error.code.isBound {
      // No flow handles the step of the guard that would ask next. This does not refuse the running action.
      run.undo(to: before)
      Questions.end(&run, error.code.rawValue)
    }
    return true
  }

  /// Ends the selection that waits for a tab, because the user has selected another one.
  static func endWish(_ run: inout Run, in tabs: NodeID) {
    guard let question = run.state.question, question.isGate, run.state.nodes.record(question.node)?.parentID == tabs else { return }
    Questions.end(&run, "stayed")
  }
}
