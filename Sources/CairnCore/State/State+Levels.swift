// Levels. The parent of a modal on a level is the root. Such a modal is a window that covers all lower levels and has its own modals. The lowest
// window is the app's, at level 0.
extension State {
  /// The modals that wait for their level, and the overlays that wait for their slot, the oldest first.
  package var waitingModals: [Node] { nodes.hasLevels ? nodes.waiting.compactMap { nodes[$0] } : [] }

  /// The visible screen of the app's own window, even if levels cover it; `nil` if there is none. Links are opened there.
  var visibleBelowLevels: NodeRecord? {
    guard !nodes.levels.isEmpty else { return visibleRecord }
    let front = frontLayer(over: root)
    guard let end = end(of: front) else { return nil }
    return end.isLeaf ? end : leaves(seenIn: front).first
  }
}
