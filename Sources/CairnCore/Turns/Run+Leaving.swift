// Removing nodes: the only way out of the tree.
extension Run {
  /// Takes nodes out, with all that is below them and presented by them, their effects and their listeners.
  mutating func remove(_ ids: [NodeID]) {
    guard ids.count > 1 else {
      if let id = ids.first { remove(id) }
      return
    }
    for id in ids { detach(id) }
    var gone = Gone()
    for id in ids {
      let first = gone.asked.count
      discard(id, &gone)
      if gone.asked.count > first + 1 { gone.asked[first...].reverse() }
    }
    settle(gone)
  }

  /// The same of one node.
  mutating func remove(_ id: NodeID) {
    detach(id)
    var gone = Gone()
    discard(id, &gone)
    if gone.asked.count > 1 { gone.asked.reverse() }
    settle(gone)
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
  private mutating func discard(_ id: NodeID, _ gone: inout Gone) {
    guard let record = state.nodes.record(id) else { return }
    if record.isFlow, let owner = record.ownerID { parents[id] = owner }
    if record.isLeaf, record.isAliveFlow, record.listen.dismissed { return keepListening(to: record, &gone) }
    if record.isFlow {
      gone.orphans += state.nodes.flows(ownedBy: record)
    } else if record.isLeaf, record.listen.dismissed, let owner = record.ownerID {
      state.listeners.append(Listener(node: id, screen: state.nodes.name(of: record), flow: owner))
    }
    if state.hasEffects { gone.owners.insert(id) }
    if let details = state.nodes.storedDetails(of: record) { note(details, of: record, &gone) }
    state.nodes.remove(id)
    var child = record.firstChildID
    while let next = child {
      child = state.nodes.record(next)?.nextID
      discard(next, &gone)
    }
    if let modal = record.presentedID { discard(modal, &gone) }
  }

  /// A `screen` flow that is listened to when it is gone: it stays a flow without a place, until it ends or a flow above it goes
  /// (RxFlow's E8). What it showed, presented and ran is gone.
  private mutating func keepListening(to record: NodeRecord, _ gone: inout Gone) {
    let id = record.nodeID
    if let details = state.nodes.storedDetails(of: record) { note(details, of: record, &gone) }
    if state.hasEffects { gone.owners.insert(id) }
    if let modal = record.presentedID {
      state.nodes.setPresented(nil, on: id)
      discard(modal, &gone)
    }
    if record.details >= 0 { state.nodes.setDetails(.none, of: id) }
    if record.level != 0 { state.nodes.setLevel(0, waits: false, of: id) }
    state.nodes.update(id) {
      $0.parent = 0
      $0.style = nil
      $0.on = 0
      $0.isGuarded = false
    }
    state.listeners.append(Listener(node: id, screen: state.nodes.name(of: record), flow: id))
  }

  /// What is still wanted of a node that goes: its content, and its answer.
  private mutating func note(_ details: NodeDetails, of record: NodeRecord, _ gone: inout Gone) {
    if let content = details.content { evaluator.departed[record.nodeID] = content }
    if let asker = details.asker { gone.asked.append((record, asker)) }
  }

  private mutating func settle(_ gone: Gone) {
    // A flow dies with its parent flow, wherever its own node stands.
    for orphan in gone.orphans where state.isAlive(flow: orphan) {
      for flow in state.flows(from: [orphan]) { stop(flow) }
    }
    forgetListeners()
    for (record, asker) in gone.asked { answer(asker, of: record, with: nil) }
    if !gone.owners.isEmpty { cancelEffects { effect in effect.owner.map(gone.owners.contains) ?? false } }
    removeOrphans()
  }

  /// Takes a node off its parent.
  private mutating func detach(_ id: NodeID) {
    guard let parent = state.nodes.record(id)?.parentID, let record = state.nodes.record(parent) else { return }
    if record.presentedID == id { state.nodes.setPresented(nil, on: parent) } else { state.nodes.unlink(id) }
  }

  /// Listeners last until their flow ends.
  mutating func forgetListeners() {
    guard !state.listeners.isEmpty else { return }
    let flows = state.listeners.filter { $0.isFlow && state.isAlive(flow: $0.flow) }
    for oldest in flows.dropLast(Run.goneFlowLimit) {
      for flow in state.flows(from: [oldest.flow]) { stop(flow) }
    }
    var heard = state.listeners.filter { state.isAlive(flow: $0.flow) }
    guard heard.count != state.listeners.count || heard.count > Run.listenerLimit else { return }
    for listener in state.listeners where listener.isFlow && !state.isAlive(flow: listener.flow) { state.nodes.remove(listener.node) }
    var excess = heard.count - Run.listenerLimit
    heard.removeAll { listener in
      guard excess > 0, !listener.isFlow else { return false }
      excess -= 1
      return true
    }
    state.listeners = heard
  }

  /// Takes nodes out because they were popped or dismissed: their `left` steps go to the flows that hear them.
  mutating func leave(_ ids: [NodeID]) {
    for id in ids { sendLeft(from: id) }
    remove(ids)
  }

  /// The same of one node.
  mutating func leave(_ id: NodeID) {
    sendLeft(from: id)
    remove(id)
  }

  /// With a node go the modals over it and over what is in it: they are dismissed, the newest first.
  private mutating func sendLeft(from id: NodeID) {
    if state.nodes.hasModals {
      for modal in state.subtree(of: id).reversed() where modal != id && state.isPresented(modal) { sendLeft(of: modal) }
    }
    sendLeft(of: id)
  }

  private mutating func sendLeft(of id: NodeID) {
    guard let record = state.nodes.record(id), record.details >= 0 else { return }
    guard let template = state.nodes.details(of: record).left, let hearer = record.ownerID else { return }
    let emitter = state.emitter(record)
    do {
      try send(program.mold(template), as: .left, by: hearer, emitter: emitter, otherwise: hearer, scope: Scope(emitter: emitter))
    } catch {
      drop(Step(template.step), error.code.rawValue)
    }
  }
}
