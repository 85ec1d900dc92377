public import CairnCore

/// The shown tree of a predicted session, and the changes since the last update.
public struct ShownUpdate: Sendable, Hashable {
  public var tree: Tree
  /// The newest revision that the service has confirmed.
  public var revision: Int
  /// The new ids of nodes whose views stay. They are to be replaced before the changes are applied.
  public var renamed: [NodeID: NodeID] = [:]
  /// The changes that lead to the tree; `nil` if it is another one as a whole, as at the beginning.
  public var changes: [Change]?
}
