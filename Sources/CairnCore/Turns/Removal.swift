/// Removes nodes from the tree and handles the consequences.
enum Removal {
  /// Removes nodes with their descendants, modals, effects and listeners.
  static func remove(_ run: inout Run, _ ids: [NodeID]) {
    if ids.count == 1 { remove(&run, ids[0]) } else if !ids.isEmpty { settle(&run, TreeEditor.remove(ids, from: &run.state)) }
  }

  /// Removes one node with its descendants, modals, effects and listeners.
  static func remove(_ run: inout Run, _ id: NodeID) { settle(&run, TreeEditor.remove(id, from: &run.state)) }

  /// Handles the consequences of a removal: ends flows whose parent flow was removed, drops listeners, sends the `else` steps of missing
  /// results, and cancels effects.
  private static func settle(_ run: inout Run, _ gone: TreeEditor.Gone) {
    for (flow, parent) in gone.parents { run.parents[flow] = parent }
    for node in gone.readable { run.evaluator.departed[node.id] = node }
    // A flow ends together with its parent flow, even if its own node is elsewhere in the tree.
    for orphan in gone.orphans where run.state.isAlive(flow: orphan) {
      for flow in run.state.flows(from: [orphan]) { Results.stop(&run, flow) }
    }
    forgetListeners(&run)
    for (record, resultReceiver) in gone.asked { Results.answer(&run, resultReceiver, of: record, with: nil) }
    if !gone.owners.isEmpty { Effects.cancel(&run) { effect in effect.owner.map(gone.owners.contains) ?? false } }
    Levels.removeOrphans(&run)
  }

  /// Drops the listeners whose flow has ended, and the oldest listeners that exceed the limits.
  static func forgetListeners(_ run: inout Run) {
    guard !run.state.listeners.isEmpty else { return }
    let flows = run.state.listeners.filter { $0.isFlow && run.state.isAlive(flow: $0.flow) }
    for oldest in flows.dropLast(Limits.goneFlowLimit) {
      for flow in run.state.flows(from: [oldest.flow]) { Results.stop(&run, flow) }
    }
    var heard = run.state.listeners.filter { run.state.isAlive(flow: $0.flow) }
    guard heard.count != run.state.listeners.count || heard.count > Limits.listenerLimit else { return }
    for listener in run.state.listeners where listener.isFlow && !run.state.isAlive(flow: listener.flow) {
      run.state.nodes.remove(listener.node)
    }
    var excess = heard.count - Limits.listenerLimit
    heard.removeAll { listener in
      guard excess > 0, !listener.isFlow else { return false }
      excess -= 1
      return true
    }
    run.state.listeners = heard
  }

  /// Removes popped or dismissed nodes. Their `removed` steps are sent, by default to the flows that own the nodes.
  static func leave(_ run: inout Run, _ ids: [NodeID]) {
    for id in ids { sendLeft(&run, from: id) }
    remove(&run, ids)
  }

  /// Removes one popped or dismissed node.
  static func leave(_ run: inout Run, _ id: NodeID) {
    sendLeft(&run, from: id)
    remove(&run, id)
  }

  /// Sends the `removed` steps of a node and of the modals over it and over its descendants, the newest modal first.
  private static func sendLeft(_ run: inout Run, from id: NodeID) {
    if run.state.nodes.hasModals {
      for modal in run.state.subtree(of: id).reversed() where modal != id && run.state.isPresented(modal) { sendLeft(&run, of: modal) }
    }
    sendLeft(&run, of: id)
  }

  private static func sendLeft(_ run: inout Run, of id: NodeID) {
    guard let record = run.state.nodes.record(id), record.details >= 0 else { return }
    let details = run.state.nodes.details(of: record)
    guard details.hasTerms, let template = details.steps.removed, let handlingFlow = record.ownerID else { return }
    let emitter = Emitter(record, in: run.state)
    do {
      try Sending.send(
        &run, run.program.compile(template), as: .left, by: handlingFlow, emitter: emitter, otherwise: handlingFlow,
        scope: Scope(emitter: emitter))
    } catch {
      run.drop(Step(template.step), error.code.rawValue)
    }
  }
}
