/// Removing nodes: the only way out of the tree.
enum Removal {
  /// Takes nodes out, with all that is below them and presented by them, their effects and their listeners.
  static func remove(_ run: inout Run, _ ids: [NodeID]) {
    guard ids.count > 1 else {
      if let id = ids.first { remove(&run, id) }
      return
    }
    for id in ids { detach(&run, id) }
    var gone = Gone()
    for id in ids {
      let first = gone.asked.count
      discard(&run, id, &gone)
      if gone.asked.count > first + 1 { gone.asked[first...].reverse() }
    }
    settle(&run, gone)
  }

  /// The same of one node.
  static func remove(_ run: inout Run, _ id: NodeID) {
    detach(&run, id)
    var gone = Gone()
    discard(&run, id, &gone)
    if gone.asked.count > 1 { gone.asked.reverse() }
    settle(&run, gone)
  }

  /// What has to be looked after when nodes are gone.
  private struct Gone {
    /// Flows that the gone flows contributed.
    var orphans: [NodeID] = []
    /// Nodes that may have effects.
    var owners: Set<NodeID> = []
    /// Nodes that were asked for a result and went without one, inner ones first.
    var asked: [(record: NodeRecord, asker: Asker)] = []
  }

  /// Takes out a node that hangs nowhere any more, and all below it.
  private static func discard(_ run: inout Run, _ id: NodeID, _ gone: inout Gone) {
    guard let record = run.state.nodes.record(id) else { return }
    if record.isFlow, let owner = record.ownerID { run.parents[id] = owner }
    if record.isLeaf, record.isAliveFlow, record.listen.dismissed { return keepListening(&run, to: record, &gone) }
    if record.isFlow {
      gone.orphans += OwnedFlows.all(of: record, in: run.state.nodes)
    } else if record.isLeaf, record.listen.dismissed, let owner = record.ownerID {
      run.state.listeners.append(Listener(node: id, screen: run.state.nodes.name(of: record), flow: owner))
    }
    if run.state.hasEffects { gone.owners.insert(id) }
    if let details = run.state.nodes.storedDetails(of: record) { note(&run, details, of: record, &gone) }
    run.state.nodes.remove(id)
    var child = record.firstChildID
    while let next = child {
      child = run.state.nodes.record(next)?.nextID
      discard(&run, next, &gone)
    }
    if let modal = record.presentedID { discard(&run, modal, &gone) }
  }

  /// A `screen` flow that is listened to when it is gone: it stays a flow without a place, until it ends or a flow above it goes
  /// (RxFlow's E8). What it showed, presented and ran is gone.
  private static func keepListening(_ run: inout Run, to record: NodeRecord, _ gone: inout Gone) {
    let id = record.nodeID
    if let details = run.state.nodes.storedDetails(of: record) { note(&run, details, of: record, &gone) }
    if run.state.hasEffects { gone.owners.insert(id) }
    if let modal = record.presentedID {
      run.state.nodes.setPresented(nil, on: id)
      discard(&run, modal, &gone)
    }
    if record.details >= 0 { run.state.nodes.setDetails(.none, of: id) }
    if record.level != 0 { run.state.nodes.setLevel(0, waits: false, of: id) }
    run.state.nodes.update(id) {
      $0.parent = 0
      $0.style = nil
      $0.on = 0
      $0.isGuarded = false
    }
    run.state.listeners.append(Listener(node: id, screen: run.state.nodes.name(of: record), flow: id))
  }

  /// What is still wanted of a node that goes: its content, and its answer.
  private static func note(_ run: inout Run, _ details: NodeDetails, of record: NodeRecord, _ gone: inout Gone) {
    if let content = details.content { run.evaluator.departed[record.nodeID] = content }
    if let asker = details.asker { gone.asked.append((record, asker)) }
  }

  private static func settle(_ run: inout Run, _ gone: Gone) {
    // A flow dies with its parent flow, wherever its own node stands.
    for orphan in gone.orphans where run.state.isAlive(flow: orphan) {
      for flow in run.state.flows(from: [orphan]) { Results.stop(&run, flow) }
    }
    forgetListeners(&run)
    for (record, asker) in gone.asked { Results.answer(&run, asker, of: record, with: nil) }
    if !gone.owners.isEmpty { Effects.cancel(&run) { effect in effect.owner.map(gone.owners.contains) ?? false } }
    Levels.removeOrphans(&run)
  }

  /// Takes a node off its parent.
  private static func detach(_ run: inout Run, _ id: NodeID) {
    guard let parent = run.state.nodes.record(id)?.parentID, let record = run.state.nodes.record(parent) else { return }
    if record.presentedID == id { run.state.nodes.setPresented(nil, on: parent) } else { run.state.nodes.unlink(id) }
  }

  /// Listeners last until their flow ends.
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

  /// Takes nodes out because they were popped or dismissed: their `left` steps go to the flows that hear them.
  static func leave(_ run: inout Run, _ ids: [NodeID]) {
    for id in ids { sendLeft(&run, from: id) }
    remove(&run, ids)
  }

  /// The same of one node.
  static func leave(_ run: inout Run, _ id: NodeID) {
    sendLeft(&run, from: id)
    remove(&run, id)
  }

  /// With a node go the modals over it and over what is in it: they are dismissed, the newest first.
  private static func sendLeft(_ run: inout Run, from id: NodeID) {
    if run.state.nodes.hasModals {
      for modal in run.state.subtree(of: id).reversed() where modal != id && run.state.isPresented(modal) { sendLeft(&run, of: modal) }
    }
    sendLeft(&run, of: id)
  }

  private static func sendLeft(_ run: inout Run, of id: NodeID) {
    guard let record = run.state.nodes.record(id), record.details >= 0 else { return }
    guard let template = run.state.nodes.details(of: record).left, let hearer = record.ownerID else { return }
    let emitter = run.state.emitter(record)
    do {
      try Sending.send(
        &run, run.program.mold(template), as: .left, by: hearer, emitter: emitter, otherwise: hearer, scope: Scope(emitter: emitter))
    } catch {
      run.drop(Step(template.step), error.code.rawValue)
    }
  }
}
