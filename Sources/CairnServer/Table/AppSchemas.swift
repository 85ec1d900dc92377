package import CairnAPI
package import CairnCore

/// An app's own schemas instead of the document's general ones: its steps, screens and facts, with their types.
package struct AppSchemas: Sendable {
  /// The app's name.
  package let name: String
  /// Of its definition.
  package let hash: String
  /// By name.
  package private(set) var components: [String: Schema] = [:]
  private var names = SchemaNames()

  /// Reads them off a definition.
  package init(_ definition: Definition, hash: String) {
    name = definition.app
    self.hash = hash
    let facts = Self.facts(definition)
    add(Self.steps(definition), to: .step, "What happened: one of the app's steps.")
    add(Self.routes(definition), to: .route, "An entry of the stack: one of the app's screens.")
    add(Self.nodes(definition), to: .node, "A node of the tree with all that is below it.")
    self[.facts] = Self.shownFacts(definition)
    for (name, schema) in ActionRow[.facts].schemas(with: [Property("set", facts)]) { components[name] = schema }
    self[.creation] = CreationRequest.schema(app: definition.app, facts: facts)
  }

  private subscript(component: Component) -> Schema? {
    get { components[component.rawValue] }
    set { components[component.rawValue] = newValue }
  }

  /// A part of an app: its name, and its schema, of its params where it has any.
  struct Part {
    var name: String
    var params: Property?
    var schema: (Property) -> Schema
  }

  /// Each by its own name, its params too, and one that is one of them; a single one by the component's name only: generators make no type of
  /// a choice between one.
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
    // An app without any takes none.
    self[component] = (all.isEmpty ? Schema(["not": [:]]) : .one(of: all)).about(about)
  }
}
