import CairnCore

/// The schema of a graph of a definition.
enum GraphSchema {
  static let graph = Schema.object([
    Property("app", .text), Property("definition", .text, "Its hash."), Property("direction", .text),
    Property("nodes", .list(of: named(["id", "kind", "label"])), "Ids speak: screen:home, flow:main."),
    Property("edges", .list(of: named(["from", "to", "label", "kind", "style"]))),
    Property("legend", Schema(["type": "object"]).with("additionalProperties", true), "What styles and marks mean."),
  ])

  /// An object with these string members. It may have other members.
  private static func named(_ names: [String]) -> Schema {
    Schema.object(names.map { Property($0, .text) }).with("additionalProperties", true)
  }
}
