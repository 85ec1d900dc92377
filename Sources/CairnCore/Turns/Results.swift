/// Results of flows and their receivers. Exactly one of the two steps `then` and `else` is sent, however the flow ends.
enum Results {
  /// The receiver of the result of a node about to be created: the screen that sent the step, or the flow if that screen is not in the tree. It is `nil` if the
  /// template has neither `then` nor `else`.
  static func resultReceiver(_ run: borrowing Run, of template: NodeTemplate, for owner: NodeID?, in scope: Scope) -> ResultReceiver? {
    guard template.then != nil || template.otherwise != nil, let owner else { return nil }
    let speaker = scope.emitter.flatMap { run.state.stands($0.id) ? $0.id : nil }
    return ResultReceiver(
      node: speaker ?? owner, then: run.evaluator.partial(template.then, in: scope, run.state),
      otherwise: run.evaluator.partial(template.otherwise, in: scope, run.state))
  }

  /// Performs the operation `give`. The flow ends with its result, and its node is removed with all nodes above it on its stack. A node at the bottom of a
  /// stack or in a tab cannot be removed; it remains as the node of an ended flow. Throws `value-mismatch` if the result does not fit its declaration. Returns
  /// the reason if nothing has changed.
  static func give(_ run: inout Run, _ recipe: Recipe, in context: borrowing InstructionContext) throws(Refusal) -> NoChange? {
    let flow = context.flow
    guard let record = run.state.nodes.record(flow), let program = run.program.flow(of: record), run.state.isAlive(flow: flow) else {
      return .dismissed
    }
    let given = run.evaluator.values(of: recipe, in: context.scope, run.state)
    guard let values = program.gives.checked(given) else {
      let fault = program.gives.faults(of: given).first ?? (name: "", fault: "does not fit")
      throw Refusal(.valueMismatch, "the value \(fault.name) of the result of \(program.name) \(fault.fault)")
    }
    guard record.ownerID != nil else { return .noParent }
    try run.meter.write(values, as: "the result of", program.name)
    // The receiver of the result is removed from the node first, so that the node's removal does not send a second step. The steps for receivers
    // inside this flow are queued before the step with the result.
    let asked = takeAsker(&run, of: record)
    for ending in run.state.flows(from: [flow]) { stop(&run, ending) }
    Removal.forgetListeners(&run)
    leaveTop(&run, flow)
    if let asked { answer(&run, asked, of: record, with: .object(values)) }
    return nil
  }

  /// Pops or dismisses a node with all nodes above it.
  private static func leaveTop(_ run: inout Run, _ id: NodeID) {
    guard let record = run.state.nodes.record(id), let parent = record.parentID else { return }
    if record.isPresented(in: run.state.nodes) { return Removal.leave(&run, id) }
    guard let container = run.state.nodes.record(parent),
      let count = container.rules?.countThrough(record, of: container, in: run.state.nodes),
      count > 1
    else { return }
    StackOperations.keep(&run, count - 1, on: parent)
  }

  /// Ends a flow without a result. The flow then handles no more steps. If the flow's result has a receiver, the `else` step is queued.
  static func stop(_ run: inout Run, _ flow: NodeID) {
    run.state.nodes.setEnded(true, of: flow)
    guard let record = run.state.nodes.record(flow), record.details >= 0, let asked = takeAsker(&run, of: record) else { return }
    answer(&run, asked, of: record, with: nil)
  }

  /// Removes and returns the receiver of a node's result; `nil` if the result has no receiver.
  private static func takeAsker(_ run: inout Run, of record: NodeRecord) -> ResultReceiver? {
    guard let details = run.state.nodes.storedDetails(of: record), let resultReceiver = details.resultReceiver else { return nil }
    var terms = details.terms
    terms.resultReceiver = nil
    run.state.nodes.setDetails(details.with(terms), of: record.nodeID)
    return resultReceiver
  }

  /// Queues the receiver's step, which is handled after the running step: `then` with the result, or `else` if `result` is `nil`.
  static func answer(_ run: inout Run, _ resultReceiver: ResultReceiver, of record: NodeRecord, with result: Value?) {
    guard let template = result == nil ? resultReceiver.otherwise : resultReceiver.then, let flow = record.ownerID,
      let emitter = Emitter(of: resultReceiver.node, in: run.state)
    else { return }
    do {
      try Sending.send(
        &run,
        run.program.compile(template), as: .answer, by: flow, emitter: emitter, otherwise: flow,
        scope: Scope(emitter: emitter, result: result)
      )
    } catch {
      run.drop(Step(template.step), error.code.rawValue)
    }
  }

  /// Whether the step in the queue must still be sent: the step of a result is dropped if the receiver's flow has ended.
  static func isWanted(_ run: borrowing Run, _ item: TurnQueue.Item) -> Bool {
    guard item.isAnswer, let emitter = item.emitter else { return true }
    return run.state.nodes.record(emitter.id)?.handlingFlow.map { run.state.isAlive(flow: $0) } ?? false
  }
}
