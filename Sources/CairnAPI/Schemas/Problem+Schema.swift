import CairnCore

extension Problem {
  static let schema = Schema.object([
    Property("type", .text(like: "^urn:cairn:problem:[a-z-]+$"), "The code as a URI."), Property("title", .text, "The code in words."),
    Property("status", .whole(from: 400, to: 599)), Property("code", codes, "The stable code by which clients distinguish problems."),
    Property("detail", .text, "A description of the fault for people, with the remedy."),
    .maybe("instance", .text, "The id of the request, as in the log."),
    .maybe("errors", .list(of: .shared(.fault)), "All faults of the request."),
    .maybe("index", .whole(from: 0), "Index of the refused action in an array, from 0."), .maybe("revision", .shared(.revision)),
    .maybe("firstRevision", .whole(from: 1), "The first revision that can be read, if an earlier one was requested."),
    .maybe("definition", .text, "The hash of the session's definition, if the request was made for another one."),
    .maybe("link", .shared(.takenLink), "Only in the response to a plan (`?plan`): the app's link that matches the URL."),
    .maybe("accepts", .shared(.acceptance)),
    .maybe("traceId", .text(like: "^[0-9a-f]{32}$")),
  ]).about("An error (RFC 9457).")

  /// Every code with its meaning.
  private static let codes = Schema.words(ProblemMeaning.all.map(\.code)).with(
    "x-enum-descriptions", .array(ProblemMeaning.all.map { .string($0.text) }))
}
