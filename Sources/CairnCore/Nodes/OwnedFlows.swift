/// The flows that a flow created, linked through their records, the oldest first.
enum OwnedFlows {
  /// The flows of an owner, the oldest first.
  static func all(of owner: NodeRecord, in nodes: NodeTable) -> [NodeID] {
    var found: [NodeID] = []
    var next = owner.firstOwned
    while let flow = nodes.record(next) {
      found.append(flow.nodeID)
      next = flow.nextOwned
    }
    return found
  }

  /// Appends a flow to its owner's flows.
  static func add(_ flow: NodeRecord, in chunks: inout NodeChunks) {
    guard flow.owner != 0, let place = chunks.place(of: flow.owner) else { return }
    let newest = chunks[place].lastOwned
    chunks.change(flow.id) {
      $0.previousOwned = newest
      $0.nextOwned = 0
    }
    chunks.change(newest) { $0.nextOwned = flow.id }
    chunks.change(flow.owner) {
      if newest == 0 { $0.firstOwned = flow.id }
      $0.lastOwned = flow.id
    }
  }

  /// Removes a flow from its owner's flows.
  static func remove(_ flow: NodeRecord, in chunks: inout NodeChunks) {
    let (previous, next) = (flow.previousOwned, flow.nextOwned)
    chunks.change(previous) { $0.nextOwned = next }
    chunks.change(next) { $0.previousOwned = previous }
    chunks.change(flow.owner) {
      if $0.firstOwned == flow.id { $0.firstOwned = next }
      if $0.lastOwned == flow.id { $0.lastOwned = previous }
    }
  }
}
