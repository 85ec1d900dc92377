// Removing nodes: the only way out of the tree.
extension Run {
  /// Takes nodes out, with all that is below them and presented by them, their effects and their listeners.
  mutating func remove(_ ids: [NodeID]) {
    guard ids.count > 1 else {
      if let id = ids.first { remove(id) }
      return
    }
    detach(ids)
    var gone = Gone()
    for id in ids { discard(id, &gone) }
    settle(gone)
  }

  /// The same of one node.
  mutating func remove(_ id: NodeID) {
    detach(id)
    var gone = Gone()
    discard(id, &gone)
    settle(gone)
  }

  /// What has to be looked after when nodes are gone.
  private struct Gone {
    /// Flows that the gone flows contributed.
    var orphans: [NodeID] = []
    /// Nodes that may have effects.
    var owners: Set<NodeID> = []
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
    if let content = state.nodes.storedDetails(of: record)?.content { evaluator.departed[id] = content }
    let children = record.children < 0 ? [] : state.nodes.children(of: record)
    state.nodes.remove(id)
    for child in children { discard(child, &gone) }
    if let modal = record.presentedID { discard(modal, &gone) }
  }

  /// A `screen` flow that is listened to when it is gone: it stays a flow without a place, until it ends or a flow above it goes
  /// (RxFlow's E8). What it showed, presented and ran is gone.
  private mutating func keepListening(to record: NodeRecord, _ gone: inout Gone) {
    let id = record.nodeID
    if let content = state.nodes.storedDetails(of: record)?.content { evaluator.departed[id] = content }
    if state.hasEffects { gone.owners.insert(id) }
    if let modal = record.presentedID {
      state.nodes.setPresented(nil, on: id)
      discard(modal, &gone)
    }
    if record.details >= 0 { state.nodes.setDetails(.none, of: id) }
    state.nodes.update(id) {
      $0.parent = 0
      $0.style = nil
      $0.on = 0
    }
    state.listeners.append(Listener(node: id, screen: state.nodes.name(of: record), flow: id))
  }

  private mutating func settle(_ gone: Gone) {
    // A flow dies with its parent flow, wherever its own node stands.
    for orphan in gone.orphans where state.isAlive(flow: orphan) {
      for flow in state.flows(from: [orphan]) { state.nodes.setEnded(true, of: flow) }
    }
    forgetListeners()
    if !gone.owners.isEmpty { cancelEffects { effect in effect.owner.map(gone.owners.contains) ?? false } }
  }

  /// Takes a node off its parent.
  private mutating func detach(_ id: NodeID) {
    guard let parent = state.nodes.record(id)?.parentID, let record = state.nodes.record(parent) else { return }
    if record.presentedID == id { return state.nodes.setPresented(nil, on: parent) }
    state.nodes.removeChild(id, of: record)
  }

  /// Takes nodes off their parents, each parent once.
  private mutating func detach(_ ids: [NodeID]) {
    let gone = Set(ids)
    for parent in Set(ids.compactMap { state.nodes.record($0)?.parentID }) {
      guard let record = state.nodes.record(parent) else { continue }
      if let modal = record.presentedID, gone.contains(modal) { state.nodes.setPresented(nil, on: parent) }
      let kept = state.nodes.children(of: record).filter { !gone.contains($0) }
      state.nodes.setChildren(kept, of: parent)
    }
  }

  /// Listeners last until their flow ends.
  mutating func forgetListeners() {
    guard !state.listeners.isEmpty else { return }
    let flows = state.listeners.filter { $0.isFlow && state.isAlive(flow: $0.flow) }
    for oldest in flows.dropLast(Run.goneFlowLimit) {
      for flow in state.flows(from: [oldest.flow]) { state.nodes.setEnded(true, of: flow) }
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
