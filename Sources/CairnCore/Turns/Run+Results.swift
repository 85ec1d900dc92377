// What flows give, and who asked for it. Exactly one of an asker's two steps is sent, however the node goes that was asked.
extension Run {
  /// Who asks for the result of a node that is about to be made: the screen that speaks, or where none is there any more the flow.
  func asker(of mold: Mold, for owner: NodeID?, in scope: Scope) -> Asker? {
    guard mold.then != nil || mold.otherwise != nil, let owner else { return nil }
    let speaker = scope.emitter.flatMap { state.stands($0.id) ? $0.id : nil }
    return Asker(
      node: speaker ?? owner, then: evaluator.partial(mold.then, in: scope, state),
      otherwise: evaluator.partial(mold.otherwise, in: scope, state))
  }

  /// The operation: the flow ends with what it gives, and its node goes with all above it on its stack. Where that cannot be, at the
  /// bottom of a stack or in a tab, it stays as an ended flow does.
  mutating func give(_ recipe: Recipe, in performance: borrowing Performance) throws(Refusal) {
    let flow = performance.flow
    guard let record = state.nodes.record(flow), let program = program.flow(of: record), state.isAlive(flow: flow) else {
      return reason = "dismissed"
    }
    let given = evaluator.values(of: recipe, in: performance.scope, state)
    guard let values = program.gives.checked(given) else {
      let fault = program.gives.faults(of: given).first ?? (name: "", fault: "does not fit")
      throw Refusal(.valueMismatch, "the value \(fault.name) that \(program.name) gives \(fault.fault)")
    }
    guard record.ownerID != nil else { return reason = "no-parent" }
    try meter.write(values, as: "what", "\(program.name) gives")
    // Taken off first: so its going does not answer, and what was asked inside of it answers before.
    let asked = takeAsker(of: record)
    for ending in state.flows(from: [flow]) { stop(ending) }
    forgetListeners()
    leaveTop(flow)
    if let asked { answer(asked, of: record, with: .object(values)) }
  }

  /// Pops or dismisses a node, with what stands above it.
  private mutating func leaveTop(_ id: NodeID) {
    guard let record = state.nodes.record(id), let parent = record.parentID else { return }
    if state.isPresented(record) { return leave(id) }
    guard let container = state.nodes.record(parent), let count = container.rules?.countThrough(record, of: container, in: state.nodes),
      count > 1
    else { return }
    keep(count - 1, on: parent)
  }

  /// Ends a flow: it hears nothing more, and gives nothing more.
  mutating func stop(_ flow: NodeID) {
    state.nodes.setEnded(true, of: flow)
    guard let record = state.nodes.record(flow), record.details >= 0, let asked = takeAsker(of: record) else { return }
    answer(asked, of: record, with: nil)
  }

  /// Who asked for a node's result; the node forgets it.
  private mutating func takeAsker(of record: NodeRecord) -> Asker? {
    guard let details = state.nodes.storedDetails(of: record), let asker = details.asker else { return nil }
    state.nodes.setDetails(details.with(asker: nil), of: record.nodeID)
    return asker
  }

  /// Has the answer follow at the end of this turn: what was given, or nil, that nothing was.
  mutating func answer(_ asker: Asker, of record: NodeRecord, with result: Value?) {
    guard let template = result == nil ? asker.otherwise : asker.then, let flow = record.ownerID,
      let emitter = state.emitter(asker.node)
    else { return }
    do {
      try send(
        program.mold(template), as: .answer, by: flow, emitter: emitter, otherwise: flow, scope: Scope(emitter: emitter, result: result))
    } catch {
      drop(Step(template.step), error.code.rawValue)
    }
  }

  /// Whether who would say this step is still there: an answer comes to nobody when who asked has gone.
  func isWanted(_ item: Turns.Item) -> Bool {
    guard item.isAnswer, let emitter = item.emitter else { return true }
    return state.nodes.record(emitter.id)?.hearer.map { state.isAlive(flow: $0) } ?? false
  }
}
