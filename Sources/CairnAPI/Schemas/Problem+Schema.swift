import CairnCore

extension Problem {
  static let schema = Schema.object([
    Property("type", .text(like: "^urn:cairn:problem:[a-z-]+$"), "The code as a URI."), Property("title", .text, "The code in words."),
    Property("status", .whole(from: 400, to: 599)), Property("code", codes, "Stable: clients decide by it."),
    Property("detail", .text, "What would have been right, for people."),
    .maybe("instance", .text, "This occurrence: the request's id, as in the log."),
    .maybe("errors", .list(of: .shared(.fault)), "All that is wrong."),
    .maybe("index", .whole(from: 0), "Which action of an array was refused."), .maybe("revision", .shared(.revision)),
    .maybe("firstRevision", .whole(from: 1), "The first revision that can be read, if an earlier one was asked for."),
    .maybe("definition", .text, "The session's definition, if the request was made for another one."),
    .maybe("link", .shared(.takenLink), "Of a plan: the link that takes the URL."), .maybe("accepts", .shared(.acceptance)),
    .maybe("traceId", .text(like: "^[0-9a-f]{32}$")),
  ]).about("An error (RFC 9457).")

  /// Every code with its meaning.
  private static let codes = Schema.words(ProblemMeaning.all.map(\.code)).with(
    "x-enum-descriptions", .array(ProblemMeaning.all.map { .string($0.text) }))
}
