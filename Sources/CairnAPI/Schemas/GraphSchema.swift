import CairnCore

/// The schema of a graph of a definition.
enum GraphSchema {
  static let graph = Schema.object([
    Property("app", .text), Property("definition", .text, "The definition's hash."), Property("direction", .text),
    Property("nodes", .list(of: named(["id", "kind", "label"])), "The nodes. Their ids are readable, such as screen:home or flow:main."),
    Property("edges", .list(of: named(["from", "to", "label", "kind", "style"]))),
    Property("legend", Schema(["type": "object"]).with("additionalProperties", true), "The meanings of the graph's styles and marks."),
  ])

  /// The schema of an object that has the given string members, and may have other members.
  private static func named(_ names: [String]) -> Schema {
    Schema.object(names.map { Property($0, .text) }).with("additionalProperties", true)
  }
}
