import CairnAPI
import CairnCore

// Endpoints for apps and their definitions.
extension Endpoint {
  /// A definition with the members that each must have. The whole language is in the schema that `cairn schema` writes.
  private static let definition = Schema(["type": "object", "required": ["app", "root", "screens", "flows"]])

  static let apps: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/apps", id: "listApps", topic: .apps, summary: "Lists the apps that sessions can be started of", who: .anyone,
      answers: [.json(200, .apps, "By name.")]
    ) { service, call throws(Rejection) in try service.documents.listApps(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}", id: "showApp", topic: .apps,
      summary: "Shows what an app's definition says to those who drive it", who: .anyone,
      query: [Query.definition], headers: [.ifNoneMatch], answers: [.json(200, .app, "The app.", .eTag), unchangedDocument],
      problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showApp(call) },
    Endpoint(
      method: .put, path: "/v1/apps/{app}", id: "putApp", topic: .apps, summary: "Puts a definition: new sessions start on it",
      about: "It is checked as cairn check does; the response lists all errors at once. Running sessions stay on theirs.", who: .operator,
      query: [Query.serve],
      headers: [.ifMatch, .ifNoneMatch],
      body: Body(
        schema: definition.about("A definition, as docs/definition.md tells."),
        others: ["application/yaml": definition, "text/yaml": definition]),
      answers: [
        .json(200, .published, "It is served now, or was already.", .eTag), .json(201, .published, "The app is new.", .eTag),
      ],
      problems: [
        .unauthorized, .operatorOnly, .methodNotAllowed, .definitionMismatch, .unsupportedMediaType, .invalidDefinition, .storage,
      ]
    ) { service, call throws(Rejection) in try service.definitions.putApp(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/versions", id: "listVersions", topic: .apps,
      summary: "Lists the definitions of an app, and how many sessions are on each", who: .operator,
      answers: [.json(200, .versions, "Oldest first.")], problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.definitions.listVersions(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/graph", id: "showGraph", topic: .apps, summary: "Draws an app", who: .anyone,
      query: [Query.graphFormat, Query.definition],
      headers: [.ifNoneMatch],
      answers: [
        Reply(
          status: 200, about: "As format says, or Accept; else as JSON.",
          contents: [
            ("application/json", .shared(.graph)), ("text/vnd.mermaid; charset=utf-8", .text), ("text/vnd.graphviz; charset=utf-8", .text),
          ], headers: [.eTag]), unchangedDocument,
      ], problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showGraph(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/check", id: "showCheck", topic: .apps, summary: "Says what is doubtful in an app's definition",
      who: .anyone, query: [Query.definition],
      answers: [.json(200, .check, "As cairn check says it.")], problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showCheck(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/links", id: "showLinks", topic: .apps,
      summary: "Lists an app's links, and which of them takes a URL", who: .anyone,
      query: [Query.url, Query.definition], answers: [.json(200, .links, "In the order of the file.")], problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showLinks(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/openapi.json", id: "showAppDocument", topic: .apps,
      summary: "This document with an app's own steps, screens and facts", who: .anyone,
      query: [Query.definition], headers: [.ifNoneMatch], answers: [document, unchangedDocument], problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showAppDocument(call) },
  ]
}
