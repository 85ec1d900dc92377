/// Sends steps: determines the receiver and the order.
enum Sending {
  /// Queues a step to be sent after the running turn, in the order of `TurnQueue.FollowUp`. `speaker` is the flow that sends the step;
  /// `nil` if there is none. `receiver` is used if the template names no receiver. A step to the parent is dropped if the flow has no
  /// parent.
  static func send(
    _ run: inout Run, _ template: CompiledStep, as kind: TurnQueue.FollowUp, by speaker: NodeID?, emitter: Emitter?,
    otherwise receiver: NodeID,
    scope: Scope
  ) throws(Refusal) {
    let intent = try run.step(from: template, in: scope)
    send(&run, intent, to: template.to, as: kind, by: speaker, emitter: emitter, otherwise: receiver)
  }

  /// Sends a step that has already been evaluated.
  static func send(
    _ run: inout Run, _ intent: Intent, to destination: Operation.Destination?, as kind: TurnQueue.FollowUp, by speaker: NodeID?,
    emitter: Emitter?,
    otherwise receiver: NodeID
  ) {
    let here = speaker ?? receiver
    guard let handlingFlow = handlingFlow(run, of: destination, by: speaker, otherwise: receiver) else {
      return run.drop(intent.step, "no-parent", flow: run.state.nodes.record(here))
    }
    run.turns.follow(kind, TurnQueue.Item(intent: intent, receiver: handlingFlow, emitter: emitter))
  }

  /// Runs the turn of a step immediately, as part of the action: if the turn is refused, so is the action. A broadcast is queued instead.
  static func sendNow(_ run: inout Run, _ template: CompiledStep, by speaker: NodeID, emitter: Emitter?, scope: Scope) throws(Refusal) {
    let intent = try run.step(from: template, in: scope)
    guard let handlingFlow = handlingFlow(run, of: template.to, by: speaker, otherwise: speaker) else {
      return run.drop(intent.step, "no-parent", flow: run.state.nodes.record(speaker))
    }
    let item = TurnQueue.Item(intent: intent, receiver: handlingFlow, emitter: emitter)
    if template.to == .all { run.turns.enqueue(item) } else { try run.take(item) }
  }

  /// Resolves a destination; `nil` if the destination is the parent and the flow has no parent.
  private static func handlingFlow(
    _ run: borrowing Run, of destination: Operation.Destination?, by speaker: NodeID?, otherwise receiver: NodeID
  ) -> TurnQueue.Item.Receiver? {
    switch destination {
    case nil: .flow(receiver)
    case .current: .flow(speaker ?? receiver)
    case .root: .flow(run.state.root)
    case .parent: Flows.parent(run, of: speaker ?? receiver).map { .flow($0) }
    case .flow(let name): .named(name, from: speaker)
    case .all: .all
    }
  }

  /// The flow of this name that has not ended: the sender or its nearest parent flow of this name, otherwise the frontmost flow of this name; `nil`
  /// if none exists.
  static func flow(_ run: borrowing Run, named name: String, seenFrom speaker: NodeID?) -> NodeID? {
    guard run.state.nodes.isAlive(flow: name), let number = run.state.nodes.names.number(name) else { return nil }
    var here = speaker
    while let id = here {
      if let record = run.state.nodes.record(id), record.flow == number, record.isAliveFlow { return id }
      here = Flows.parent(run, of: id)
    }
    let search = PlaceSearch(.flow(name), in: Scope(), run.state, by: run.evaluator)
    // A flow that waits for its level, or that has left the tree and still listens, is used only if no other flow of this name exists.
    return search.nearest(from: nil) { $0.isAliveFlow } ?? run.state.nodes.records.first { $0.flow == number && $0.isAliveFlow }?.nodeID
  }
}
