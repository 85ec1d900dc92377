public import CairnCore

/// The root of a tree, or a modal.
public struct RouteLayer: Hashable, Sendable, Identifiable {
  /// The id of the node.
  public let id: NodeID
  /// The style in which the modal is presented; meaningless for the root.
  public let style: PresentationStyle
  public let content: RouteContent

  init(_ node: Tree) {
    id = node.id
    style = node.style ?? (node.kind == .alert ? .alert : .sheet)
    content = RouteContent(node)
  }

  /// The action to post when the user has closed the modal, for example by swiping a sheet down.
  public var dismissal: SessionAction { .dismiss(id).from(content.end) }
}

/// A screen that is shown over the app in a slot without covering anything, such as a banner.
public struct RouteOverlay: Hashable, Sendable, Identifiable {
  /// The id of the node, from which the overlay posts its steps.
  public let id: NodeID
  public let slot: String
  public let screen: Tree

  init(_ node: Tree) {
    id = node.id
    slot = node.slot ?? ""
    screen = node
  }

  /// The action to post when the user has closed the overlay.
  public var dismissal: SessionAction { .dismiss(id) }
}
