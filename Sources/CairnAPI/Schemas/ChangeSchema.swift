import CairnCore

/// The schemas of the changes that `Change` writes and that a client applies to its tree (docs/changes.md).
package enum ChangeSchema {
  /// A change of any kind, with `op` as the discriminator.
  static let any = Schema.one(of: kinds.map { .named($0.name) }).with(
    "discriminator",
    [
      "propertyName": "op",
      "mapping": .object(Dictionary(uniqueKeysWithValues: kinds.map { ($0.op, .string("#/components/schemas/\($0.name)")) })),
    ])

  /// The schema of each kind with its name in a document, such as `PushChange`.
  package static let kinds: [(op: String, name: String, schema: Schema)] = [
    op("push", [container, node], "Pushes a node on top of a stack."),
    op("pop", [container, Property("to", .shared(.nodeID))], "Removes the nodes of a stack that are above a node."),
    op(
      "set",
      [
        container, Property("children", .list(of: .shared(.node))),
        .maybe(
          "kind", .words(Node.Kind.ofSplits.map(\.rawValue)),
          "The new kind of the container; present if a split collapses to a stack, or expands again."),
      ], "Replaces the children of a container."),
    op("replace", [Property("at", .shared(.nodeID)), node], "Replaces a node with another one."),
    op("remove", [id], "Removes a node with its descendants."),
    op(
      "present", [Property("on", .shared(.nodeID)), node, .maybe("level", .whole(from: 1, to: 255))], "Presents a modal."),
    op("overlay", [node, Property("slot", .text)], "Shows an overlay in its slot."),
    op("dismiss", [id], "Dismisses a modal or an overlay."),
    op("select", [container, Property("index", .whole(from: 0))], "Makes another child of a container its front child."),
    op(
      "update",
      [
        id, .maybe("params", .shared(.params)), .maybe("facts", .map(of: .shared(.value))), .maybe("content", .shared(.content)),
        .maybe("ended", .flag),
      ],
      "Replaces the given members of a node."),
  ]

  private static let container = Property("in", .shared(.nodeID))
  private static let node = Property("node", .shared(.node))
  private static let id = Property("node", .shared(.nodeID))

  private static func op(_ name: String, _ properties: [Property], _ about: String) -> (op: String, name: String, schema: Schema) {
    (
      name, name.prefix(1).uppercased() + name.dropFirst() + "Change",
      Schema.object([Property("op", .only(name))] + properties).about(about)
    )
  }
}
