public import CairnCore

/// One tab container of a tree, with its tabs.
public struct RouteTabs: Hashable, Sendable, Identifiable {
  /// The id of the tabs' node.
  public let id: NodeID
  public let tabs: [Tab]
  /// The index of the selected tab.
  public let selected: Int

  /// One tab, with its root.
  public struct Tab: Hashable, Sendable, Identifiable {
    /// The id of the tab's node.
    public let id: NodeID
    /// The name of the tab's flow or screen.
    public let name: String
    /// The metadata of the tab's flow or screen, such as a title or an icon.
    public let meta: Value?
    public let content: RouteContent
  }

  init(_ node: Tree) {
    id = node.id
    tabs = (node.children ?? []).map { Tab(id: $0.id, name: $0.name, meta: $0.meta, content: RouteContent($0)) }
    selected = node.selected ?? 0
  }

  /// The action to post when the user has tapped the tab with this index, which may already be selected; `nil` if there is no such tab. A
  /// tap on another tab is bound to the tabs' node, so the service accepts the tap even if a third tab is selected when the tap arrives.
  public func action(for tab: Int) -> SessionAction? {
    tabs.indices.contains(tab) ? .select(tab: tab, in: id).from(tab == selected ? end : id) : nil
  }

  /// The id of the node in front in the selected tab.
  var end: NodeID { tabs.indices.contains(selected) ? tabs[selected].content.end : id }
}
