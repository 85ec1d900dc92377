// Levels: a modal on a level hangs on the root and is a window of its own over all that is lower, with modals of its own. Below them
// all is the app's window, whose level is 0.
extension State {
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
