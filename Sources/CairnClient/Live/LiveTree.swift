public import CairnCore

/// A tree that is updated by applying the changes of each entry.
public struct LiveTree: Sendable, Hashable {
  public private(set) var revision: Int
  public private(set) var tree: Tree

  /// Starts with the tree and the revision of a session.
  public init(_ session: SessionView) {
    revision = session.revision
    tree = session.tree
  }

  /// Applies the changes of an entry, and ignores an entry whose revision has already been applied. Returns `false` if a revision before
  /// the entry is missing, or if the entry's changes cannot be applied. After `false`, the tree is unchanged, and the session must be read
  /// again.
  public mutating func play(_ entry: HistoryEntry) -> Bool { play(entry.changes, to: entry.revision) }

  /// Applies the changes in the response to an action, in the same way as the changes of an entry.
  public mutating func play(_ answer: ActionAnswer) -> Bool { play(answer.changes, to: answer.revision) }

  private mutating func play(_ changes: [Change], to revision: Int) -> Bool {
    guard revision > self.revision else { return true }
    guard revision == self.revision + 1 else { return false }
    var played = tree
    guard played.play(changes) else { return false }
    (tree, self.revision) = (played, revision)
    return true
  }
}
