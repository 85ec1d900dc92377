import CairnCore
import CairnTransfer

/// The visible screen as the newest answer showed it. Any thread.
final class SeenScreen: Sendable {
  private struct Contents {
    var revision = -1
    var node: NodeID?
  }

  private let contents = Guarded(Contents())

  /// The screen that a step is bound to; nil: none is known, or a split shows two screens, of which the service finds the one that says it.
  var node: NodeID? { contents.withLock { $0.node } }

  /// Takes in an answer, unless a newer one is known. `tree`: nil if the answer has none, which says nothing.
  func note(_ revision: Int, _ visible: RouteEntry?, _ tree: Tree?) {
    guard let tree else { return }
    let node = visible.flatMap { tree.isInSplit($0.id) == false ? $0.id : nil }
    contents.withLock { contents in
      if revision >= contents.revision { contents = Contents(revision: revision, node: node) }
    }
  }

  /// Records a newer revision of the session. The visible screen is then unknown, unless the changes only update nodes.
  func note(_ revision: Int, _ changes: [Change]) {
    contents.withLock { contents in
      guard revision > contents.revision else { return }
      contents.revision = revision
      if changes.contains(where: { $0.name != "update" }) { contents.node = nil }
    }
  }
}

extension Tree {
  /// Whether a node is one of several that a split shows beside each other; `nil` if the tree lacks the node. Modals over a split are not
  /// in it.
  fileprivate func isInSplit(_ node: NodeID) -> Bool? {
    if id == node { return false }
    for modal in (levels ?? []) + [presented].compactMap(\.self) {
      if let found = modal.isInSplit(node) { return found }
    }
    for child in children ?? [] {
      if let found = child.isInSplit(node) { return found || kind.showsAllChildren }
    }
    return nil
  }
}
