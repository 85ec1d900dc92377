public import CairnCore

/// What a layer, a tab, a pane or an element of a stack shows. A switch is what its child is.
public indirect enum RouteContent: Hashable, Sendable, Identifiable {
  /// A screen or an alert, without the modals over it.
  case screen(Tree)
  case stack(RouteStack)
  case tabs(RouteTabs)
  /// A split, and its panes: the master, and the detail if there is one.
  case split(NodeID, [RouteContent])
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
      case .split: .split(node.id, children.map(RouteContent.init))
      }
  }

  /// The id of the node that is shown.
  public var id: NodeID {
    switch self {
    case .screen(let screen): screen.id
    case .stack(let stack): stack.id
    case .tabs(let tabs): tabs.id
    case .split(let id, _), .nothing(let id): id
    }
  }
}

extension Tree {
  /// The node without the modals over it.
  fileprivate var alone: Tree {
    var alone = self
    (alone.presented, alone.levels) = (nil, nil)
    return alone
  }
}
