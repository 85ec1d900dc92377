/// Finds the flow that handles a step, and runs the matching branch of its handler.
enum Handling {
  // The item is consumed, because a copy of its sender would take more time than a small turn.
  static func handle(_ run: inout Run, _ given: consuming TurnQueue.Item) throws(Refusal) {
    var item = given
    if case .question(let id, let node) = item.receiver { return try Asking.proceed(&run, item.emitter, to: id, of: node) }
    var flow = try receiver(run, of: item)
    if case .visible = item.receiver {
      // The sender of a link's step is the visible screen of the app's own window, even if levels cover it.
      item.emitter = run.state.visibleBelowLevels.map { Emitter($0, in: run.state) }
    }
    while true {
      guard let record = run.state.nodes.record(flow), let flowProgram = run.program.flow(of: record) else {
        throw Refusal(.flowGone, "the flow that handles the step \(item.intent.step.step) has ended")
      }
      item.intent = try adapted(run, item.intent, by: flowProgram, flow, emitter: item.emitter)
      if item.intent.number >= 0, let handler = flowProgram.handlers[item.intent.number] {
        run.report.beginTurn(flowProgram, flow, item.intent.step)
        try perform(
          &run, handler,
          in: InstructionContext(flow: flow, scope: Scope(params: item.intent.step.params, emitter: item.emitter, flow: flow)))
        run.report.endTurn(flowProgram, flow, item.intent.step)
        return
      }
      if run.definition.unhandled == .drop {
        run.report.beginTurn(flowProgram, flow, item.intent.step)
        run.report.endTurn(flowProgram, flow, item.intent.step)
        return run.drop(item.intent.step, Refusal.Code.notHandled.rawValue, flow: record)
      }
      // Every flow receives a broadcast separately, so a flow does not pass it on to its parent.
      if item.isBroadcast { return run.report.explain(.notHandled) }
      guard let parent = record.ownerID, run.state.isAlive(flow: parent) else {
        throw Refusal(
          .notHandled, "no flow handles \(item.intent.step.step): neither \(flowProgram.name) nor a flow above it has a handler for it")
      }
      flow = parent
    }
  }

  static func receiver(_ run: borrowing Run, of item: TurnQueue.Item) throws(Refusal) -> NodeID {
    switch item.receiver {
    case .flow(let flow):
      guard run.state.isAlive(flow: flow) else {
        throw Refusal(.flowGone, "the flow that handles the step \(item.intent.step.step) has ended")
      }
      return flow
    case .named(let name, let speaker):
      guard let flow = Sending.flow(run, named: name, seenFrom: speaker) else {
        throw Refusal(.flowGone, "the flow \(name) is not in the tree, so it cannot handle the step \(item.intent.step.step)")
      }
      return flow
    case .visible, .all, .question: return visibleHandlingFlow(run)
    }
  }

  /// The flow that handles the visible screen's steps. If this flow has ended but is still shown, or if no screen is visible, returns the root flow,
  /// which never ends.
  static func visibleHandlingFlow(_ run: borrowing Run) -> NodeID {
    guard let flow = run.state.visibleBelowLevels?.handlingFlow, run.state.isAlive(flow: flow) else { return run.state.root }
    return flow
  }

  /// Replaces the step by the first adaptation whose guard is true (RxFlow's `adapt`).
  private static func adapted(
    _ run: borrowing Run, _ intent: Intent, by flow: Program.Flow, _ id: NodeID, emitter: Emitter?
  ) throws(Refusal) -> Intent {
    guard intent.number >= 0, let adaptations = flow.adaptations[intent.number] else { return intent }
    let scope = Scope(params: intent.step.params, emitter: emitter, flow: id)
    for adaptation in adaptations where run.holds(adaptation.when, in: scope) {
      return try run.step(from: adaptation.to, in: scope)
    }
    return intent
  }

  private static func perform(_ run: inout Run, _ handler: Program.Handler, in context: borrowing InstructionContext) throws(Refusal) {
    for branch in handler.branches {
      if let condition = branch.when, !run.holds(condition, in: context.scope) { continue }
      for instruction in branch.instructions { run.report.explain(try instruction(&run, context)) }
      return
    }
    run.report.explain(.noBranch)
  }
}
