import CairnCore

/// The schemas of a client's view of a tree, as `Tree` and `RouteEntry` write it.
package enum TreeSchema {
  /// A node of any app.
  static let node = Schema.object(
    [
      Property("kind", .words(containers + leaves), "A container, a screen, or a screen that is shown as an alert."),
      Property("name", .text, "The screen's name, of a container its flow's."), .maybe("params", .shared(.params)),
    ] + ofContainer + ofScreen + ofAll
  ).about("A node of the tree with all that is below it.")

  /// A container. `name` is the schema of its flow's name.
  package static func container(named name: Schema) -> Schema {
    .object([Property("kind", .words(containers)), Property("name", name), .maybe("params", .shared(.params))] + ofContainer + ofAll)
  }

  /// A screen. `name` is the schema of the screen's name.
  package static func screen(named name: Schema, params: Property) -> Schema {
    .object([Property("kind", .words(leaves)), Property("name", name), params] + ofScreen + ofAll)
  }

  /// An entry of the stack. For a known screen, `screen` and `params` describe its name and params.
  package static func route(screen: Schema = .text, params: Property = .maybe("params", .shared(.params))) -> Schema {
    .object([
      .maybe("flow", .text, "The flow that hears it."), Property("id", .shared(.nodeID)), params,
      .maybe("presented", .onlyTrue, "It is the first one of a modal."), Property("screen", screen),
    ])
  }

  static let content = Schema.object([
    Property("status", .words(ContentStatus.self)), .maybe("value", .shared(.value)), .maybe("error", .text),
  ]).about("The loaded value, or the value written to the node.")

  private static let containers = Node.Kind.containers.map(\.rawValue)
  private static let leaves = Node.Kind.leaves.map(\.rawValue)

  private static let ofContainer: [Property] =
    [
      .maybe("children", .list(of: .shared(.node)), "Of a container; of a stack bottom first."),
      .maybe("selected", .whole(from: 0), "Of tabs and switches: the child in front, from 0."),
    ] + flags(ofContainers: true) + [.maybe("levels", .list(of: .shared(.node)), "Of the root: the modals on levels, the lowest first.")]

  private static func flags(ofContainers: Bool) -> [Property] {
    NodeFlags.rows.filter { $0.isOfContainers == ofContainers }.compactMap { row in
      row.shown.map { .maybe($0.description, .onlyTrue, row.about) }
    }
  }

  private static let ofScreen: [Property] = [.maybe("flow", .text, "Where a screen is a flow of its own: the flow's name.")]

  private static let ofAll: [Property] =
    [
      Property("id", .shared(.nodeID)), .maybe("content", .shared(.content)),
      .maybe("style", .words(PresentationStyle.self), "Of a modal: how it is presented."),
      .maybe("level", .whole(from: 1, to: 255), "Of a modal: the level that it is presented on."),
      .maybe("on", .shared(.nodeID), "The screen that asked for it."),
    ] + flags(ofContainers: false) + [
      .maybe("meta", .shared(.value), "As the definition has it."),
      .maybe("presented", .shared(.node), "The modal on it."),
    ]
}
