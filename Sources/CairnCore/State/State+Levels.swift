// Levels: a modal on a level hangs on the root and is a window of its own over all that is lower, with modals of its own. Below them
// all is the app's window, whose level is 0.
extension State {
  /// The root of the window that a node is in: a modal that is on a level or waits for one, else the root of all. A flow that has no
  /// place is where the flow above it is.
  func window(of record: NodeRecord) -> NodeRecord? {
    var here = record
    while here.level == 0, here.nodeID != root {
      guard let next = (here.parentID ?? here.ownerID).flatMap({ nodes.record($0) }) else { return nodes.record(root) }
      here = next
    }
    return here
  }

  /// Whether a higher level lies over the window of a node, or that window waits: no client reaches it there, whatever it says of itself.
  func isBelowLevel(_ record: NodeRecord) -> Bool {
    guard nodes.hasLevels, let window = window(of: record) else { return false }
    guard !window.waits, let front = nodes.levels.last.flatMap({ nodes.record($0) }) else { return window.waits }
    return window.level < front.level
  }

  /// Whether a node is in a window that waits: clients do not see it.
  func isWaiting(_ id: NodeID) -> Bool {
    guard !nodes.waiting.isEmpty, let record = nodes.record(id) else { return false }
    return window(of: record)?.waits ?? false
  }

  /// The modals that wait for the place on their level, the oldest first.
  package var waitingModals: [Node] { nodes.hasLevels ? nodes.waiting.compactMap { nodes[$0] } : [] }

  /// The screen in front of the app's own window, which links go to: whatever lies over it.
  var visibleBelowLevels: NodeRecord? {
    guard !nodes.levels.isEmpty else { return visibleRecord }
    let front = frontLayer(over: root)
    guard let end = end(of: front) else { return nil }
    return end.isLeaf ? end : leaves(seenIn: front).first
  }
}
