/// A node that an entry has put over others, or a tab that it has selected. While an action of a user runs who has not seen it, it is lifted off.
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
