import CairnAPI
import CairnConsole
package import CairnCore
import CairnJournal

/// The OpenAPI document (3.1) of the service. It is generated from the table of endpoints, which also routes the requests.
package struct Document: Sendable {
  /// The document as a JSON value.
  package let value: Value

  /// Generates the service's document, or the document of an app. In an app's document, the app's schemas replace the general schemas.
  /// `commit` is the commit of the build; without it, `info` has no `x-commit`.
  package init(version: String, commit: String? = nil, app: AppSchemas? = nil) {
    var schemas: [String: Value] = [:]
    for component in Component.allCases { schemas[component.rawValue] = component.schema.value }
    for (name, schema) in ActionRow.schemas { schemas[name] = schema.value }
    for kind in ChangeSchema.kinds { schemas[kind.name] = kind.schema.value }
    if let app { schemas.merge(app.components.mapValues(\.value)) { _, own in own } }
    var about = "A service that owns the navigation of apps. Clients post actions and receive the screen tree; sessions are durable."
    if let app { about += " This document has the types of the app \(app.name), from its definition \(app.hash)." }
    var info: [String: Value] = [
      "title": .string(app.map { "Cairn: \($0.name)" } ?? "Cairn"), "version": .string(version), "description": .string(about),
      "license": ["name": "Apache 2.0", "identifier": "Apache-2.0"],
    ]
    info["x-commit"] = commit.map(Value.string)
    value = [
      "openapi": "3.1.0",
      "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
      "info": .object(info),
      "servers": [["url": "/"]],
      "tags": .array(Endpoint.Topic.allCases.map { ["name": .string($0.rawValue), "description": .string($0.about)] }),
      "paths": .object(Self.paths(examples: app == nil)),
      "components": [
        "schemas": .object(schemas),
        "parameters": ["pretty": Self.parameter(Query.pretty)],
        "headers": .object(
          Dictionary(uniqueKeysWithValues: AnswerField.allCases.map { ($0.rawValue, ["schema": $0.schema.value] as Value) })),
        "responses": .object(Self.commonResponses),
        "securitySchemes": Self.securitySchemes,
      ],
    ]
  }

  private static func paths(examples: Bool) -> [String: Value] {
    var paths: [String: Value] = [:]
    for route in Route.all {
      var item: [String: Value] = [:]
      for endpoint in route.endpoints { item[endpoint.method.rawValue.lowercased()] = endpoint.operation(examples: examples) }
      let placeholders = placeholders(in: route.template)
      if !placeholders.isEmpty {
        item["parameters"] = .array(
          placeholders.map { ["name": .string($0.name), "in": "path", "required": true, "schema": $0.schema.value] })
      }
      paths[route.template] = .object(item)
    }
    return paths
  }

  /// The parameters that a path's template contains in braces, with their schemas.
  private static func placeholders(in template: String) -> [(name: String, schema: Schema)] {
    let all: [(name: String, schema: Schema)] = [
      ("id", .shared(.sessionID)), ("app", Schema.text(like: "^[a-z][a-z0-9-]*$").about("The app's name.")),
      ("file", Schema.words(consoleFiles.filter { $0.count == 1 }.map { $0[0] }).about("The name of a file of the console.")),
      (
        "folder",
        Schema.words(Set(consoleFiles.filter { $0.count == 2 }.map { $0[0] }).sorted()).about(
          "The name of a folder with scripts of the console.")
      ),
      (
        "script",
        Schema.words(consoleFiles.filter { $0.count == 2 }.map { $0[1] }).about("The name of a script in a folder of the console.")
      ),
      ("from", hash.about("The hash of the old definition.")), ("to", hash.about("The hash of the new definition.")),
      ("engine", Schema.text(like: "^[0-9a-f]{16}\\.wasm$").about("The file name of the engine: a hash of its bytes.")),
      ("operation", Schema.words(Rollout.Operation.allCases.map(\.rawValue))),
    ]
    return all.filter { template.contains("{\($0.name)}") }
  }

  /// The segments of the paths of the console's files. The page itself is not included.
  private static let consoleFiles = ConsoleFile.all.map { $0.name.split(separator: "/").map(String.init) }

  private static let hash = Schema.definitionHash

  private static let securitySchemes: Value = [
    "session": [
      "type": "http", "scheme": "bearer",
      "description": "The session's secret, from the response to its creation. It authorizes requests to that session only.",
    ],
    "operator": ["type": "http", "scheme": "bearer", "description": "An operator's key. It authorizes requests to all sessions and apps."],
    "ticket": [
      "type": "apiKey", "in": "query", "name": "ticket",
      "description": "A ticket for one stream, valid once, for 30 s. It replaces the Authorization header, which EventSource cannot send.",
    ],
  ]

  static func parameter(_ parameter: any DescribedParameter) -> Value {
    ["name": .string(parameter.name), "in": "query", "schema": parameter.schema.value]
  }
}
