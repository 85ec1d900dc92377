import CairnAPI
import CairnCore

// Definitions: put, compared, drawn, tried.
extension Endpoint {
  static let putApp = Endpoint(
    id: "putApp", topic: .apps, summary: "Puts a definition: new sessions start on it",
    about: "It is checked as cairn check does; all that is wrong is told at once. Running sessions stay on theirs.", who: .operator,
    headers: [.ifMatch, .ifNoneMatch],
    body: Body(
      schema: Schema(["type": "object"]).about("A definition, as docs/definition.md tells."),
      others: ["application/yaml": Schema(["type": "object"]), "text/yaml": Schema(["type": "object"])]),
    answers: [
      .json(200, .published, "It is served now, or was already.", .eTag), .json(201, .published, "The app is new.", .eTag),
    ],
    problems: [
      .unauthorized, .operatorOnly, .methodNotAllowed, .definitionMismatch, .unsupportedMediaType, .invalidDefinition, .storage,
    ])

  static let listVersions = Endpoint(
    id: "listVersions", topic: .apps, summary: "Lists the definitions of an app, and how many sessions are on each", who: .operator,
    answers: [.json(200, .versions, "Oldest first.")], problems: [.unauthorized, .operatorOnly, .notFound, .storage])

  static let showGraph = Endpoint(
    id: "showGraph", topic: .apps, summary: "Draws an app", who: .anyone, query: [Query.graphFormat, Query.definition],
    headers: [.ifNoneMatch],
    answers: [
      Reply(
        status: 200, about: "As format says, or Accept; else as JSON.",
        contents: [
          ("application/json", .shared(.graph)), ("text/vnd.mermaid; charset=utf-8", .text), ("text/vnd.graphviz; charset=utf-8", .text),
        ], headers: [.eTag]), unchangedDocument,
    ], problems: [.notFound, .storage])

  static let showCheck = Endpoint(
    id: "showCheck", topic: .apps, summary: "Says what is doubtful in an app's definition", who: .anyone, query: [Query.definition],
    answers: [.json(200, .check, "As cairn check says it.")], problems: [.notFound, .storage])

  static let showLinks = Endpoint(
    id: "showLinks", topic: .apps, summary: "Lists an app's links, and which of them takes a URL", who: .anyone,
    query: [Query.url, Query.definition], answers: [.json(200, .links, "In the order of the file.")], problems: [.notFound, .storage])

  static let showConsole = Endpoint(
    id: "showConsole", topic: .service, summary: "The page for people", who: .anyone, headers: [.ifNoneMatch],
    answers: [page(["text/html; charset=utf-8"]), unchangedDocument], problems: [.notFound])

  static let showConsoleFile = Endpoint(
    id: "showConsoleFile", topic: .service, summary: "A file of the page for people", who: .anyone, headers: [.ifNoneMatch],
    answers: [page(["text/javascript; charset=utf-8", "text/css; charset=utf-8"]), unchangedDocument], problems: [.notFound])

  private static func page(_ types: [String]) -> Reply {
    Reply(status: 200, about: "The file.", contents: types.map { ($0, .text) }, headers: [.eTag])
  }
}
