public import CairnCore

/// A stack that contains the entries of all nested stacks in one list, because a `NavigationStack` cannot contain another
/// `NavigationStack`.
public struct RouteStack: Hashable, Sendable, Identifiable {
  /// The id of the stack's node.
  public let id: NodeID
  /// The elements of the stack, the lowest first. No element is a stack or a switch.
  public let items: [RouteContent]
  /// For each item, the node to remove when the user removes the item: the item itself, or the stack of which it is the lowest item. `nil` for the first item.
  private let removed: [NodeID?]

  init(_ node: Tree) {
    id = node.id
    let list = Self.items(of: node, removed: nil)
    items = list.map(\.item)
    removed = list.map(\.removed)
  }

  /// The lowest item; `nil` if the stack is empty.
  public var root: RouteContent? { items.first }

  /// The ids of the items over the lowest one. They stay the same while the items' contents change.
  public var path: [NodeID] { items.dropFirst().map(\.id) }

  /// The item with this id; `nil` if there is none.
  public subscript(id: NodeID) -> RouteContent? { items.first { $0.id == id } }

  /// The action to post when the user has changed the path to `new`, for example by swiping back. `nil` unless `new` is the path without
  /// some of its last ids, because only steps add to the path.
  public func action(for new: [NodeID]) -> SessionAction? {
    guard new.count < path.count, path.starts(with: new), let lowest = removed[new.count + 1] else { return nil }
    return .pop(lowest).from(items.last?.end)
  }

  private static func items(of node: Tree, removed: NodeID?) -> [(item: RouteContent, removed: NodeID?)] {
    (node.children ?? []).enumerated().flatMap { place, child in
      let removed = place == 0 ? removed : child.id
      let shown = child.shown
      return shown.kind == .stack ? items(of: shown, removed: removed) : [(RouteContent(shown), removed)]
    }
  }
}

extension Tree {
  /// The node whose content is shown: a switch shows its child, any other node itself.
  fileprivate var shown: Tree { kind == .oneOf ? children?.last?.shown ?? self : self }
}
