// Levels. A modal on a level has the root as its parent and is a separate window over all lower levels, with its own modals. The app's
// window below all of them has level 0.
extension State {
  /// The modals that wait for a place on their level, the oldest first.
  package var waitingModals: [Node] { nodes.hasLevels ? nodes.waiting.compactMap { nodes[$0] } : [] }

  /// The front screen of the app's window, whatever levels cover it. Links are sent to its flow.
  var visibleBelowLevels: NodeRecord? {
    guard !nodes.levels.isEmpty else { return visibleRecord }
    let front = frontLayer(over: root)
    guard let end = end(of: front) else { return nil }
    return end.isLeaf ? end : leaves(seenIn: front).first
  }
}
