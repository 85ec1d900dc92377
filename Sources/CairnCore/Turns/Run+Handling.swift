// Which flow handles a step, and which branch of its handler runs.
extension Run {
  mutating func handle(_ item: Turns.Item) throws(Refusal) {
    var flow = try receiver(of: item)
    var intent = item.intent
    var emitter = item.emitter
    if case .visible = item.receiver {
      // A link's step is one of the screen that is visible now.
      emitter = state.visibleRecord.map(state.emitter)
    }
    while true {
      guard let record = state.nodes.record(flow), let flowProgram = program.flow(of: record) else {
        throw Refusal(.flowGone, "the flow that hears \(intent.step.step) is gone")
      }
      intent = try adapted(intent, by: flowProgram, emitter: emitter)
      if intent.number >= 0, let handler = flowProgram.handlers[intent.number] {
        note(Event(.willNavigate, flow: flowProgram.name, node: flow, step: intent.step))
        try run(handler, in: Performance(flow: flow, scope: Scope(params: intent.step.params, emitter: emitter)))
        note(Event(.didNavigate, flow: flowProgram.name, node: flow, step: intent.step))
        return
      }
      if definition.unhandled == .drop {
        note(Event(.willNavigate, flow: flowProgram.name, node: flow, step: intent.step))
        note(Event(.didNavigate, flow: flowProgram.name, node: flow, step: intent.step))
        return drop(intent.step, Refusal.Code.notHandled.rawValue, flow: record)
      }
      // Each flow gets a broadcast by itself: none passes it on.
      if item.isBroadcast { return reason = Refusal.Code.notHandled.rawValue }
      guard let parent = record.ownerID, state.isAlive(flow: parent) else {
        throw Refusal(.notHandled, "no flow handles \(intent.step.step): neither \(flowProgram.name) nor a flow above it lists it")
      }
      flow = parent
    }
  }

  private func receiver(of item: Turns.Item) throws(Refusal) -> NodeID {
    switch item.receiver {
    case .flow(let flow):
      guard state.isAlive(flow: flow) else { throw Refusal(.flowGone, "the flow that hears \(item.intent.step.step) is gone") }
      return flow
    case .named(let name, let speaker):
      guard let flow = flow(named: name, seenFrom: speaker) else {
        throw Refusal(.flowGone, "there is no flow \(name) now, which is to hear \(item.intent.step.step)")
      }
      return flow
    case .visible, .all:
      // A flow that has ended and stays hears nothing: the root, which never ends, does.
      guard let flow = state.visibleRecord?.hearer, state.isAlive(flow: flow) else { return state.root }
      return flow
    }
  }

  /// RxFlow's adapt: the first replacement whose guard holds.
  private func adapted(_ intent: Intent, by flow: Program.Flow, emitter: Emitter?) throws(Refusal) -> Intent {
    guard intent.number >= 0, let adaptations = flow.adaptations[intent.number] else { return intent }
    let scope = Scope(params: intent.step.params, emitter: emitter)
    for adaptation in adaptations where holds(adaptation.when, in: scope) {
      return try step(from: adaptation.to, in: scope)
    }
    return intent
  }

  private mutating func run(_ handler: Program.Handler, in performance: borrowing Performance) throws(Refusal) {
    for branch in handler.branches {
      if let condition = branch.when, !holds(condition, in: performance.scope) { continue }
      for instruction in branch.instructions { try instruction(&self, performance) }
      return
    }
    reason = "no-branch"
  }
}
