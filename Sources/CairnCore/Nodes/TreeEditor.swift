/// Removes nodes from the tree; no other type removes nodes. It changes only nodes and listeners, and returns the removed nodes, so that the action
/// can handle the consequences.
struct TreeEditor {
  /// The data about the removed nodes that the action still needs.
  struct Gone {
    /// The flows that the removed flows created. Each must end too.
    fileprivate(set) var orphans: [NodeID] = []
    /// The removed nodes, which may have effects. Empty if no effects are running.
    fileprivate(set) var owners: Set<NodeID> = []
    /// The removed nodes with a receiver that has not received a result, inner nodes first.
    fileprivate(set) var asked: [(record: NodeRecord, resultReceiver: ResultReceiver)] = []
    /// The removed flows with their parent flows.
    fileprivate(set) var parents: [(flow: NodeID, parent: NodeID)] = []
    /// The removed flows, and the removed nodes with content. The steps that they have sent may still read their facts and content.
    fileprivate(set) var readable: [Emitter] = []
  }

  private var gone = Gone()

  /// Removes nodes with their descendants and modals.
  static func remove(_ ids: [NodeID], from state: inout State) -> Gone {
    var editor = TreeEditor()
    for id in ids { detach(id, in: &state) }
    for id in ids { editor.remove(id, from: &state) }
    return editor.gone
  }

  /// Removes one node with its descendants and modals.
  static func remove(_ id: NodeID, from state: inout State) -> Gone {
    detach(id, in: &state)
    var editor = TreeEditor()
    editor.remove(id, from: &state)
    return editor.gone
  }

  /// Removes a node from its parent.
  private static func detach(_ id: NodeID, in state: inout State) {
    guard let parent = state.nodes.record(id)?.parentID, let record = state.nodes.record(parent) else { return }
    if record.presentedID == id { state.nodes.setPresented(nil, on: parent) } else { state.nodes.unlink(id) }
  }

  private mutating func remove(_ id: NodeID, from state: inout State) {
    let first = gone.asked.count
    discard(id, from: &state)
    if gone.asked.count > first + 1 { gone.asked[first...].reverse() }
  }

  /// Removes a detached node and everything below it.
  private mutating func discard(_ id: NodeID, from state: inout State) {
    guard let record = state.nodes.record(id) else { return }
    if record.isFlow, let owner = record.ownerID { gone.parents.append((id, owner)) }
    if record.isLeaf, record.isAliveFlow, record.listen.dismissed { return keepListening(to: record, in: &state) }
    if record.isFlow {
      gone.orphans += OwnedFlows.all(of: record, in: state.nodes)
    } else if record.isLeaf, record.listen.dismissed, let owner = record.ownerID {
      state.listeners.append(Listener(node: id, screen: state.nodes.name(of: record), flow: owner))
    }
    note(record, in: state)
    state.nodes.remove(id)
    var child = record.firstChildID
    while let next = child {
      child = state.nodes.record(next)?.nextID
      discard(next, from: &state)
    }
    if let modal = record.presentedID { discard(modal, from: &state) }
  }

  /// Keeps a removed `screen` flow with `listen: dismissed` outside the tree until it ends or a parent flow is removed, as in RxFlow.
  /// Removes its screen, modals and effects.
  private mutating func keepListening(to record: NodeRecord, in state: inout State) {
    let id = record.nodeID
    note(record, in: state)
    if let modal = record.presentedID {
      state.nodes.setPresented(nil, on: id)
      discard(modal, from: &state)
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

  /// Records the data of a removed node that the action still needs: its id as the owner of effects to be cancelled, its facts and content,
  /// and the receiver of its result.
  private mutating func note(_ record: NodeRecord, in state: State) {
    if state.hasEffects { gone.owners.insert(record.nodeID) }
    let details = state.nodes.storedDetails(of: record)
    if record.isFlow || details?.content != nil { gone.readable.append(Emitter(record: record, details: details)) }
    guard let details else { return }
    if let resultReceiver = details.resultReceiver { gone.asked.append((record, resultReceiver)) }
  }
}
