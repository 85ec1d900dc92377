/// Finds and ends flows for the operations of handlers.
enum Flows {
  /// The existing node of an anchor. It is the flow's own node if the sending screen is not in the tree; `nil` if the flow's node is not in the tree either.
  static func anchored(_ run: borrowing Run, _ anchor: Operation.Anchor, in context: borrowing InstructionContext) -> NodeID? {
    if anchor == .screen, let emitter = context.scope.emitter, run.state.stands(emitter.id) { return emitter.id }
    return run.state.stands(context.flow) ? context.flow : nil
  }

  /// The parent of a flow, even if this action has removed the flow; `nil` for the root flow.
  static func parent(_ run: borrowing Run, of flow: NodeID) -> NodeID? { run.state.nodes.record(flow)?.ownerID ?? run.parents[flow] }

  /// The owner of the nodes that a flow creates: the flow itself or, if it has ended or been removed, its nearest ancestor that has not ended. Every node
  /// therefore has a flow that handles its steps.
  static func contributor(_ run: borrowing Run, for flow: NodeID) -> NodeID {
    var here = flow
    while !run.state.isAlive(flow: here) {
      guard let parent = parent(run, of: here) else { return run.state.root }
      here = parent
    }
    return here
  }

  /// Performs the operation `end` (RxFlow's `end`). The flow and its descendants then handle no steps; the flow's node is kept until the parent removes it. The
  /// root flow does not end; only its descendants do, and a step to its parent is dropped.
  static func end(_ run: inout Run, _ flow: NodeID, sending template: CompiledStep, scope: Scope) throws(Refusal) {
    let intent = try run.step(from: template, in: scope)
    let ending = run.state.flows(from: [flow])
    Sending.send(&run, intent, to: template.to ?? .parent, as: .ended, by: flow, emitter: nil, otherwise: flow)
    if parent(run, of: flow) != nil { Results.stop(&run, flow) }
    for child in ending.dropFirst() { Results.stop(&run, child) }
    Removal.forgetListeners(&run)
    Levels.removeOrphans(&run)
  }

  static func forward(_ run: inout Run, _ template: CompiledStep, in context: borrowing InstructionContext) throws(Refusal) {
    let (flow, scope) = (context.flow, context.scope)
    let destination = template.to ?? .parent
    Sending.send(
      &run,
      try run.step(from: template, in: scope), to: destination, as: destination == .current ? .toCurrent : .toParent, by: flow,
      emitter: scope.emitter, otherwise: flow)
  }

}
