/// A node that an entry has put over other nodes, or a tab that an entry has selected. It is lifted off the tree while an action runs whose
/// user has not seen it.
public struct Cover: Hashable, Sendable {
  /// The modal, the page at the end of a stack, or the selected tab.
  public var node: NodeID
  /// The tab that was selected before; `nil` for a modal or a page.
  public var tab: NodeID?

  public init(_ node: NodeID, over tab: NodeID? = nil) {
    self.node = node
    self.tab = tab
  }
}
