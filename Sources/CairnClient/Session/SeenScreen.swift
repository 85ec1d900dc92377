import CairnCore
import CairnTransfer

/// The visible screen according to the newest response. Thread-safe.
final class SeenScreen: Sendable {
  private struct Contents {
    var revision = -1
    var screen: NodeID?
    var isInSplit = false
  }

  private let contents = Guarded(Contents())

  /// The screen to which a step is bound; `nil` if no screen is known. Also `nil` if a split shows two screens: the service then determines
  /// which of the two emits the step.
  var node: NodeID? { contents.withLock { $0.isInSplit ? nil : $0.screen } }

  /// The screen in front, which the user saw when making a gesture; `nil` if no screen is known.
  var screen: NodeID? { contents.withLock { $0.screen } }

  /// Records the visible screen of a response, unless a newer response has been recorded. A response without a tree is ignored.
  func note(_ revision: Int, _ visible: RouteEntry?, _ tree: Tree?) {
    guard let tree else { return }
    let isInSplit = visible.map { tree.isInSplit($0.id) != false } ?? false
    contents.withLock { contents in
      if revision >= contents.revision { contents = Contents(revision: revision, screen: visible?.id, isInSplit: isInSplit) }
    }
  }

  /// Records the visible screen of the response to an action, and returns the response.
  func noting(_ answer: ActionAnswer) -> ActionAnswer {
    note(answer.revision, answer.visible, answer.tree)
    return answer
  }

  /// Records a newer revision of the session. The visible screen is then unknown, unless the changes only update nodes or show overlays.
  func note(_ revision: Int, _ changes: [Change]) {
    contents.withLock { contents in
      guard revision > contents.revision else { return }
      contents.revision = revision
      if changes.contains(where: { $0.name != "update" && $0.name != "overlay" }) { contents.screen = nil }
    }
  }
}

extension Tree {
  /// Whether a split shows the node beside another node; `nil` if the tree does not contain the node. A modal over a split is not part of
  /// the split.
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
