import CairnCore

/// The schemas of a client's view of a tree, as `Tree` and `RouteEntry` write it.
package enum TreeSchema {
  /// A node of any app.
  static let node = Schema.object(
    [
      Property("kind", .words(containers + leaves), "A container, a screen, or a screen that is shown as an alert."),
      Property("name", .text, "The name of the screen, or of the container's flow."), .maybe("params", .shared(.params)),
    ] + ofContainer + ofScreen + ofAll
  ).about("A node of the tree with its descendants.")

  /// Returns the schema of a container. `name` is the schema of the name of the container's flow.
  package static func container(named name: Schema) -> Schema {
    .object([Property("kind", .words(containers)), Property("name", name), .maybe("params", .shared(.params))] + ofContainer + ofAll)
  }

  /// Returns the schema of a screen. `name` is the schema of the screen's name.
  package static func screen(named name: Schema, params: Property) -> Schema {
    .object([Property("kind", .words(leaves)), Property("name", name), params] + ofScreen + ofAll)
  }

  /// Returns the schema of an entry of the stack. For a known screen, `screen` and `params` describe its name and params.
  package static func route(screen: Schema = .text, params: Property = .maybe("params", .shared(.params))) -> Schema {
    .object([
      .maybe("flow", .text, "The flow that handles the steps of the screen."), Property("id", .shared(.nodeID)), params,
      .maybe("presented", .onlyTrue, "true for the first route inside a modal."), Property("screen", screen),
    ])
  }

  static let content = Schema.object([
    Property("status", .words(ContentStatus.self)), .maybe("value", .shared(.value)), .maybe("error", .text),
  ]).about("The content of a node: its initial data, and what loads and handlers write.")

  private static let containers = Node.Kind.containers.map(\.rawValue)
  private static let leaves = Node.Kind.leaves.map(\.rawValue)

  private static let ofContainer: [Property] =
    [
      .maybe("children", .list(of: .shared(.node)), "The children of a container; in a stack, bottom first."),
      .maybe("selected", .whole(from: 0), "Index of the front child of tabs or a switch, from 0."),
    ] + flags(ofContainers: true) + [
      .maybe("levels", .list(of: .shared(.node)), "The modals on levels, lowest first; only on the root."),
      .maybe("overlays", .list(of: .shared(.node)), "The overlays, which cover nothing, oldest first; only on the root."),
    ]

  private static func flags(ofContainers: Bool) -> [Property] {
    NodeFlags.rows.filter { $0.isOfContainers == ofContainers }.compactMap { row in
      row.shown.map { .maybe($0.description, .onlyTrue, row.about) }
    }
  }

  private static let ofScreen: [Property] = [.maybe("flow", .text, "The name of the flow; present if the flow is a single screen.")]

  private static let ofAll: [Property] =
    [
      Property("id", .shared(.nodeID)),
      .maybe("facts", .map(of: .shared(.value)), "The facts of the flow that have a value. The value of a secret fact is shown as true."),
      .maybe("content", .shared(.content)),
      .maybe("style", .words(PresentationStyle.self), "The presentation style of a modal."),
      .maybe("level", .whole(from: 1, to: 255), "The level on which a modal is presented."),
      .maybe("slot", .text, "The slot of an overlay."),
      .maybe("on", .shared(.nodeID), "The screen on which a modal was presented."),
      .maybe("order", .whole(from: 1), "Order of the modals over the same layer, the highest in front; by default, the number in the id."),
    ] + flags(ofContainers: false) + [
      .maybe("meta", .shared(.value), "The value of meta that the definition has for this screen or flow, unchanged."),
      .maybe("presented", .shared(.node), "The modal that is presented on this node."),
    ]
}
