import CairnCore

// The responses about definitions.
extension VersionsBody {
  static let schema = Schema.object([
    Property("app", .text), Property("versions", .list(of: .shared(.version)), "Oldest first."),
  ])
}

extension VersionsBody.Version {
  static let schema = Schema.object([
    Property("definition", .text, "Its hash."), Property("current", .flag, "New sessions start on it."), Property("since", .shared(.time)),
    .maybe("by", .text, "The operator who put it; left out: it was the folder's."),
    Property("sessions", .whole(from: 0), "How many are on it."),
  ])
}

extension PublishedBody {
  static let schema = Schema.object([
    Property("app", .text), Property("definition", .text, "Its hash."), Property("changed", .flag),
    Property("warnings", CheckBody.warnings),
  ])
}

extension CheckBody {
  static let warnings = Schema.list(
    of: .object([Property("message", .text), .maybe("line", .whole(from: 1)), .maybe("column", .whole(from: 1))]))

  static let schema = Schema.object([
    Property("app", .text), Property("definition", .text, "Its hash."), Property("problems", .list(of: .text), "None: it is served."),
    Property("warnings", warnings, "Valid but doubtful parts of the definition."),
  ])
}

extension LinkBody {
  private static let names = Schema.list(of: .text)

  static let schema = Schema.object([
    Property("index", .whole(from: 0), "Its place in the file: the first that takes a URL wins."), Property("path", .text),
    .maybe("hosts", names), .maybe("schemes", names), .maybe("query", names), Property("guarded", .flag, "It may be held."),
    .maybe("held", .shared(.linkID)), .maybe("step", .text), .maybe("to", .text), .maybe("broadcast", .text), .maybe("steps", names),
    .maybe("values", .map(of: .text), "The values of the URL, by name."),
  ]).about("A link of a definition.")
}

extension LinksBody {
  static let schema = Schema.object([
    Property("app", .text), Property("definition", .text, "Its hash."), .maybe("url", .text),
    .maybe("link", .orNull(.shared(.takenLink)), "The one that takes the URL."), Property("links", .list(of: .shared(.takenLink))),
    .maybe("oauth", .onlyTrue, "It is where the OAuth provider leads back to."),
    .maybe(
      "refusal", .object([Property("code", .text), Property("detail", .text), Property("errors", .list(of: .shared(.fault)))]),
      "Why none takes it."),
  ])
}

/// The parts of a drawing.
enum GraphSchema {
  static let graph = Schema.object([
    Property("app", .text), Property("definition", .text, "Its hash."), Property("direction", .text),
    Property("nodes", .list(of: named(["id", "kind", "label"])), "Ids speak: screen:home, flow:main."),
    Property("edges", .list(of: named(["from", "to", "label", "kind", "style"]))),
    Property("legend", Schema(["type": "object"]).with("additionalProperties", true), "What styles and marks mean."),
  ])

  /// An object with these texts, and what else is known of it.
  private static func named(_ names: [String]) -> Schema {
    Schema.object(names.map { Property($0, .text) }).with("additionalProperties", true)
  }
}
