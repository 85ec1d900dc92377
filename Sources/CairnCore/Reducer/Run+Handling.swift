// Which flow handles a step, and which branch of its handler runs.
extension Run {
  mutating func handle(_ item: Item) throws(Refusal) {
    var flow = try receiver(of: item)
    var step = item.step
    var emitter = item.emitter
    if case .visible = item.receiver {
      // A link's step is one of the screen that is visible now; from an alert it closes it first.
      emitter = state.visibleLeaf
      if let alert = emitter, alert.kind == .alert { leave(alert.id) }
    }
    while true {
      guard let node = state[flow], let name = node.flow, let flowDefinition = definition.flows[name] else {
        throw Refusal(.flowGone, "the flow that hears \(step.step) is gone")
      }
      step = try adapted(step, by: flowDefinition, emitter: emitter)
      if let handler = flowDefinition.handle[step.step] {
        events.append(Event(.willNavigate, flow: name, node: flow, step: step))
        try run(handler, on: step, in: node, emitter: emitter)
        events.append(Event(.didNavigate, flow: name, node: flow, step: step))
        return
      }
      if definition.unhandled == .drop {
        events.append(Event(.willNavigate, flow: name, node: flow, step: step))
        events.append(Event(.didNavigate, flow: name, node: flow, step: step))
        return drop(step, Refusal.Code.notHandled.rawValue, flow: node)
      }
      // Each flow gets a broadcast by itself: none passes it on.
      if item.isBroadcast { return reason = Refusal.Code.notHandled.rawValue }
      guard let parent = node.owner, state.isAlive(flow: parent) else {
        throw Refusal(.notHandled, "no flow handles \(step.step): neither \(name) nor a flow above it lists it")
      }
      flow = parent
    }
  }

  private func receiver(of item: Item) throws(Refusal) -> NodeID {
    switch item.receiver {
    case .flow(let flow):
      guard state.isAlive(flow: flow) else { throw Refusal(.flowGone, "the flow that hears \(item.step.step) is gone") }
      return flow
    case .visible:
      let leaf = state.visibleLeaf
      guard let flow = leaf.flatMap(state.hearer(of:)) ?? (leaf == nil ? state.root : nil), state.isAlive(flow: flow) else {
        throw Refusal(.flowGone, "the flow of the visible screen is gone")
      }
      return flow
    }
  }

  /// RxFlow's adapt: the first replacement whose guard holds.
  private mutating func adapted(
    _ step: Step, by flow: FlowDefinition, emitter: Node?
  ) throws(Refusal) -> Step {
    let scope = Scope(params: step.params, emitter: emitter)
    for adaptation in flow.adapt[step.step] ?? [] where holds(adaptation.when, in: scope) {
      return try self.step(from: adaptation.to, in: scope)
    }
    return step
  }

  private mutating func run(_ handler: Handler, on step: Step, in flow: Node, emitter: Node?) throws(Refusal) {
    let scope = Scope(params: step.params, emitter: emitter)
    for branch in handler.branches {
      if let condition = branch.when, !holds(condition, in: scope) { continue }
      for operation in branch.operations { try perform(operation, in: flow.id, scope: scope) }
      return
    }
    reason = "no-branch"
  }
}
