public import CairnCore

/// The content of a layer, a tab, a pane or an element of a stack. A switch has the content of its child.
public indirect enum RouteContent: Hashable, Sendable, Identifiable {
  /// A screen or an alert, without the modals over it.
  case screen(Tree)
  case stack(RouteStack)
  case tabs(RouteTabs)
  /// A split, and its panes: the master, and the detail if there is one.
  case panes(NodeID, [RouteContent])
  /// A switch without a child.
  case nothing(NodeID)

  init(_ node: Tree) {
    let children = node.children ?? []
    self =
      switch node.kind {
      case .screen, .alert: .screen(node.alone)
      case .stack: .stack(RouteStack(node))
      case .tabs: .tabs(RouteTabs(node))
      case .oneOf: children.last.map(RouteContent.init) ?? .nothing(node.id)
      default: .panes(node.id, children.map(RouteContent.init))
      }
  }

  /// The id of the node that is shown.
  public var id: NodeID {
    switch self {
    case .screen(let screen): screen.id
    case .stack(let stack): stack.id
    case .tabs(let tabs): tabs.id
    case .panes(let id, _), .nothing(let id): id
    }
  }

  /// The innermost tabs around the node in front; `nil` if there are none.
  var tabsInFront: RouteTabs? {
    switch self {
    case .stack(let stack): stack.items.last?.tabsInFront
    case .tabs(let tabs): (tabs.tabs.indices.contains(tabs.selected) ? tabs.tabs[tabs.selected].content.tabsInFront : nil) ?? tabs
    case .panes(_, let panes): panes.last?.tabsInFront
    case .screen, .nothing: nil
    }
  }

  /// The id of the node in front, which the user sees: a screen, or a container without a child.
  public var end: NodeID {
    switch self {
    case .screen(let screen): screen.id
    case .stack(let stack): stack.items.last?.end ?? stack.id
    case .tabs(let tabs): tabs.end
    case .panes(let id, let panes): panes.last?.end ?? id
    case .nothing(let id): id
    }
  }
}

extension Tree {
  /// The node without the modals over it.
  fileprivate var alone: Tree {
    var alone = self
    (alone.presented, alone.levels, alone.overlays) = (nil, nil, nil)
    return alone
  }
}
