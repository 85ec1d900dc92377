import CairnAPI
import CairnCore

// Endpoints for apps and their definitions.
extension Endpoint {
  /// The schema of a definition with only its required members. `cairn schema` prints the schema of the whole language.
  private static let definition = Schema(["type": "object", "required": ["app", "root", "screens", "flows"]])

  static let apps: [Endpoint] = [
    Endpoint(
      method: .get, path: "/v1/apps", id: "listApps", topic: .apps, summary: "Lists the apps for which sessions can be started",
      who: .anyone,
      answers: [.json(200, .apps, "The apps, sorted by name.")]
    ) { service, call throws(Rejection) in try service.documents.listApps(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}", id: "showApp", topic: .apps,
      summary: "Returns an app's screens, flows, steps, facts and links", who: .anyone,
      query: [Query.definition], headers: [.ifNoneMatch],
      answers: [.json(200, .app, "The app's screens, flows, steps, facts and links.", .eTag), unchangedDocument],
      problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showApp(call) },
    Endpoint(
      method: .put, path: "/v1/apps/{app}", id: "putApp", topic: .apps, summary: "Publishes a definition, on which new sessions start",
      about: "The service checks the definition like `cairn check`, and returns all errors. Running sessions keep their definition.",
      who: .operator,
      query: [Query.serve],
      headers: [.ifMatch, .ifNoneMatch],
      body: Body(
        schema: definition.about("A definition, as docs/definition.md describes it."),
        others: ["application/yaml": definition, "text/yaml": definition]),
      answers: [
        .json(200, .published, "The definition is stored, and is served unless the request has `serve=false`.", .eTag),
        .json(201, .published, "The definition is stored, and the app is new.", .eTag),
      ],
      problems: [
        .unauthorized, .operatorOnly, .methodNotAllowed, .definitionMismatch, .unsupportedMediaType, .invalidDefinition, .storage,
      ]
    ) { service, call throws(Rejection) in try service.definitions.putApp(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/versions", id: "listVersions", topic: .apps,
      summary: "Lists an app's definitions, with the number of sessions on each", who: .operator,
      answers: [.json(200, .versions, "The definitions, oldest first.")], problems: [.unauthorized, .operatorOnly, .notFound, .storage]
    ) { service, call throws(Rejection) in try service.definitions.listVersions(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/graph", id: "showGraph", topic: .apps, summary: "Returns an app's navigation as a graph",
      who: .anyone,
      query: [Query.graphFormat, Query.definition],
      headers: [.ifNoneMatch],
      answers: [
        Reply(
          status: 200, about: "The graph, in the format that the query parameter `format` or the header `Accept` selects; default JSON.",
          contents: [
            ("application/json", .shared(.graph)), ("text/vnd.mermaid; charset=utf-8", .text), ("text/vnd.graphviz; charset=utf-8", .text),
          ], headers: [.eTag]), unchangedDocument,
      ], problems: [.notFound, .documentTooLarge, .storage]
    ) { service, call throws(Rejection) in try service.documents.showGraph(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/check", id: "showCheck", topic: .apps,
      summary: "Returns the warnings of `cairn check` about an app's definition",
      who: .anyone, query: [Query.definition],
      answers: [.json(200, .check, "The warnings.")], problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showCheck(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/links", id: "showLinks", topic: .apps,
      summary: "Lists an app's links and, for a URL, the link that matches it", who: .anyone,
      query: [Query.url, Query.definition], answers: [.json(200, .links, "The links, in the order of the definition.")],
      problems: [.notFound, .storage]
    ) { service, call throws(Rejection) in try service.documents.showLinks(call) },
    Endpoint(
      method: .get, path: "/v1/apps/{app}/openapi.json", id: "showAppDocument", topic: .apps,
      summary: "Returns the OpenAPI document with an app's own steps, screens and facts", who: .anyone,
      query: [Query.definition], headers: [.ifNoneMatch], answers: [document, unchangedDocument],
      problems: [.notFound, .documentTooLarge, .storage]
    ) { service, call throws(Rejection) in try service.documents.showAppDocument(call) },
  ]
}
