public import CairnCore

/// The shown tree of a predicted session, and the changes since the last update.
public struct ShownUpdate: Sendable, Hashable {
  public var tree: Tree
  /// The newest revision that the service has confirmed.
  public var revision: Int
  /// The new ids of nodes, by their old ids. Keep the nodes' views, and replace the ids before you apply the changes.
  public var renamed: [NodeID: NodeID] = [:]
  /// The changes that produce the tree from the previous one; `nil` if the tree must be shown as a whole, as at the start.
  public var changes: [Change]?
  /// Whether an action of this client means that the user has agreed to leave the app. After the update is shown, the app closes or goes to
  /// the background.
  public var exits = false
}
