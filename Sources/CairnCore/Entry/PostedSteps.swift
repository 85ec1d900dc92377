/// Handles steps posted by clients.
enum PostedSteps {
  /// Checks a posted step against its definition, the visibility of its sender and the sender's contract, then runs its turn. If the turn is refused,
  /// the action is refused with the same reason. An answer to a guard's question changes nothing if the dialog was never created, for example because
  /// the client was offline and the guard's condition is no longer true when the action arrives.
  static func post(_ run: inout Run, _ given: Step, from: NodeID?) throws(Refusal) -> NoChange? {
    let intent = try checked(run, given)
    if from == .neverCreated, run.program.answers.contains(intent.number) { return .nothingAsked }
    guard !run.program.steps[intent.number].isOperators else {
      try run.take(TurnQueue.Item(intent: intent, receiver: .flow(run.state.root), emitter: nil))
      return nil
    }
    let emitter = try emitter(run, of: intent, from: from)
    var flow = run.state.root
    if let emitter {
      _ = try Checks.isCovered(
        run, emitter.record, isHeard: emitter.record.listen.hidden, so: "its screen cannot send the step \(intent.step.step)")
      try checkContract(run, emitter, intent)
      guard let handlingFlow = emitter.record.handlingFlow, run.state.isAlive(flow: handlingFlow) else {
        throw Refusal(.flowGone, "the flow that handles the steps of \(name(run, of: emitter)) has ended")
      }
      flow = handlingFlow
      if emitter.record.kind == .alert, isOwn(run, intent, of: emitter, isNamed: from != nil) {
        Removal.leave(&run, emitter.id)
        run.finishTurn()
      }
    } else if let front = run.state.nodes.levels.last {
      throw Refusal(
        .hidden,
        "no screen can send \(intent.step.step): the level \(Children.name(run, of: front)) covers all screens, but contains no screen")
    }
    try run.take(TurnQueue.Item(intent: intent, receiver: .flow(flow), emitter: emitter))
    return nil
  }

  /// Whether a step belongs to an alert and therefore closes the alert. A step that the flow allows all its screens to emit counts only if
  /// the alert's contract contains it, or if the client names the alert and the alert has no contract.
  private static func isOwn(_ run: borrowing Run, _ intent: Intent, of alert: Emitter, isNamed: Bool) -> Bool {
    if let contract = run.program.screen(of: alert.record)?.emits { return contract.contains(intent.number) }
    return isNamed || !run.program.isSharedStep(intent.number, of: alert.record, in: run.state)
  }

  private static func name(_ run: borrowing Run, of emitter: Emitter) -> String { run.state.nodes.name(of: emitter.record) }

  /// Checks the step against its declaration and fills in defaults. Throws if the step is unknown or internal.
  private static func checked(_ run: borrowing Run, _ step: Step) throws(Refusal) -> Intent {
    guard let number = run.program.step(step.step), run.program.steps[number].isDeclared else {
      let known = run.definition.steps.filter { !$0.value.isInternal }.keys
      let some = known.sorted().prefix(64).joined(separator: ", ") + (known.count > 64 ? ", …" : "")
      let hint = NearestName.of(step.step, among: known).map { "; did you mean \($0)?" } ?? ""
      throw Refusal(
        .invalid, "\(run.definition.app) has no step \(step.step)",
        faults: [.init(pointer: "/step", detail: "must be one of \(some)\(hint)")])
    }
    let declared = run.program.steps[number]
    guard !declared.isInternal else {
      let remedy = run.state.visibleRecord.map { "; add emits: [\(step.step)] to \(run.state.nodes.name(of: $0))" } ?? ""
      throw Refusal(.internalStep, "no screen emits \(step.step)\(remedy)")
    }
    if let params = declared.params.checked(step.params) { return Intent(number: number, step: Step(step.step, params: params)) }
    let params = try Checks.check(step.params, against: declared.params.definitions, of: "the step \(step.step)", at: "/params")
    return Intent(number: number, step: Step(step.step, params: params))
  }

  /// The sender of the step: the node that the client names or, if it names none, the visible screen; `nil` if no screen is visible. Throws `dismissed` if the
  /// named node has been removed and its steps are no longer handled, and `invalid` if it never existed.
  private static func emitter(_ run: borrowing Run, of intent: Intent, from: NodeID?) throws(Refusal) -> Emitter? {
    guard let from else {
      if !run.program.showsSeveralScreens, let visible = run.state.visibleRecord { return Emitter(visible, in: run.state) }
      return firstEmitter(run, of: intent)
    }
    if run.state.stands(from), let emitter = Emitter(of: from, in: run.state) { return emitter }
    try Checks.checkIssued(run, from, at: "/from")
    if let listener = run.state.listeners.first(where: { $0.node == from }) {
      var record = NodeRecord(id: from, kind: .screen, name: nameNumber(run, listener.screen), owner: listener.flow, parent: nil)
      record.listen = Listen(hidden: true, dismissed: true)
      return Emitter(record: record, details: nil)
    }
    // With `covered: accept`, a removed screen may still send steps, as in Flux and TCA, where any screen dispatches actions. The removed
    // screen is treated like the visible screen, but its content cannot be read or written.
    if run.definition.covered == .accept, let visible = run.state.visibleRecord {
      return Emitter(
        record: NodeRecord(id: from, kind: .screen, name: visible.name, owner: visible.handlingFlow, parent: nil), details: nil)
    }
    throw Refusal(.dismissed, "the node \(from) no longer exists, and its screen does not listen for steps after its removal")
  }

  /// The default sender; `nil` if no leaf is visible. If a split shows two panes, the default sender is the leaf whose contract contains
  /// the step and whose flow handles it; the detail has priority.
  private static func firstEmitter(_ run: borrowing Run, of intent: Intent) -> Emitter? {
    let leaves = run.state.visibleLeaves
    let speaking = leaves.first { run.program.stepsAccepted(from: $0, in: run.state).contains(intent.number) }
    return (speaking ?? leaves.first { mayEmit(run, $0, intent) } ?? leaves.first).map { Emitter($0, in: run.state) }
  }

  private static func nameNumber(_ run: borrowing Run, _ screen: String) -> Int32 { run.state.nodes.names.number(screen) ?? 0 }

  /// Whether the screen's contract allows the step. A screen without a contract, or a screen that is not in the definition, may emit any step.
  private static func mayEmit(_ run: borrowing Run, _ record: NodeRecord, _ intent: Intent) -> Bool {
    run.program.screen(of: record)?.emits?.contains(intent.number) ?? true
      || run.program.isSharedStep(intent.number, of: record, in: run.state)
  }

  static func isGated(_ run: borrowing Run, _ record: NodeRecord) -> Bool { run.definition.covered == .refuse && !record.listen.hidden }

  /// Throws `not-in-contract` if the sender's contract does not contain the step. If the sender is a flow, the contract of one of its visible screens must
  /// contain the step.
  private static func checkContract(_ run: borrowing Run, _ emitter: Emitter, _ intent: Intent) throws(Refusal) {
    if emitter.record.isLeaf, mayEmit(run, emitter.record, intent) { return }
    let speakers = emitter.record.isLeaf ? [emitter.record] : run.state.leaves(seenIn: emitter.id)
    guard !speakers.isEmpty, !speakers.contains(where: { mayEmit(run, $0, intent) }) else { return }
    let emits = speakers.reduce(into: Set<String>()) {
      $0.formUnion(run.definition.screens[run.state.nodes.name(of: $1)]?.emits ?? [])
      $0.formUnion(run.program.sharedSteps(of: $1, in: run.state).numbers.map { run.program.steps[$0].name })
    }
    let may = emits.isEmpty ? "no steps" : emits.sorted().joined(separator: ", ")
    throw Refusal(.notInContract, "\(name(run, of: emitter)) may not emit \(intent.step.step); it may emit \(may)")
  }

}
