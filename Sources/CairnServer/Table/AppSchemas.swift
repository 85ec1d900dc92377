package import CairnAPI
package import CairnCore

/// The schemas of an app's steps, screens and facts. They replace the general schemas in the app's OpenAPI document.
package struct AppSchemas: Sendable {
  /// The app's name.
  package let name: String
  /// The hash of the app's definition.
  package let hash: String
  /// The schemas by name.
  package private(set) var components: [String: Schema] = [:]
  private var names = SchemaNames()

  /// Derives the schemas from a definition.
  package init(_ definition: Definition, hash: String) {
    name = definition.app
    self.hash = hash
    let facts = Self.facts(definition)
    add(Self.steps(definition), to: .step, "One of the app's steps, as a client posts it.")
    add(Self.routes(definition), to: .route, "An entry of the stack, which shows one of the app's screens.")
    add(Self.nodes(definition), to: .node, "A node of the tree with its descendants.")
    self[.facts] = Self.shownFacts(definition)
    for (name, schema) in ActionRow[.facts].schemas(with: [Property("set", facts)]) { components[name] = schema }
    self[.creation] = CreationRequest.schema(app: definition.app, facts: facts)
  }

  private subscript(component: Component) -> Schema? {
    get { components[component.rawValue] }
    set { components[component.rawValue] = newValue }
  }

  /// A step, a screen or a container: its name, its params if it has any, and the function that builds its schema from the params.
  struct Part {
    var name: String
    var params: Property?
    var schema: (Property) -> Schema
  }

  /// Adds one schema per part, one per part's params, and one for the choice between all parts. A single part gets only the component's name,
  /// because generators create no type for a choice with one alternative.
  private mutating func add(_ parts: [Part], to component: Component, _ about: String) {
    var all: [Schema] = []
    for part in parts {
      let title = names.take(component.rawValue + SchemaNames.pascal(part.name))
      var params = part.params ?? .maybe("params", .closed([]))
      if part.params != nil {
        let name = names.take(title + "Params")
        components[name] = params.schema
        params.schema = .named(name)
      }
      let schema = part.schema(params)
      guard parts.count > 1 else {
        self[component] = schema.about(about)
        return
      }
      components[title] = schema
      all.append(.named(title))
    }
    // If the app has no such part, the schema accepts no value.
    self[component] = (all.isEmpty ? Schema(["not": [:]]) : .one(of: all)).about(about)
  }
}
