package import CairnAPI
package import CairnCore

/// What an app puts in the place of the document's general schemas: its steps, screens and facts, with their types.
package struct AppSchemas: Sendable {
  /// The app's name.
  package let name: String
  /// Of its definition.
  package let hash: String
  /// By name.
  package private(set) var components: [String: Schema] = [:]

  /// Reads them off a definition.
  package init(_ definition: Definition, hash: String) {
    name = definition.app
    self.hash = hash
    let facts = Self.facts(definition)
    add(Self.steps(definition), to: .step, "What happened: one of the app's steps.")
    add(Self.routes(definition), to: .route, "An entry of the stack: one of the app's screens.")
    add(Self.nodes(definition), to: .node, "A node of the tree with all that is below it.")
    self[.facts] = Self.shownFacts(definition)
    self[.action] = ActionRequest.schema(facts: facts)
    self[.creation] = CreationRequest.schema(app: definition.app, facts: facts)
  }

  private subscript(component: Component) -> Schema? {
    get { components[component.rawValue] }
    set { components[component.rawValue] = newValue }
  }

  /// Each by its own name, and one that is one of them.
  private mutating func add(_ schemas: [(name: String, schema: Schema)], to component: Component, _ about: String) {
    var all: [Schema] = []
    for (name, schema) in schemas {
      let title = Self.free("\(component.rawValue).\(Self.plain(name))", beside: components)
      components[title] = schema
      all.append(Schema(["$ref": .string("#/components/schemas/\(title)")]))
    }
    // An app without any takes none.
    self[component] = (all.isEmpty ? Schema(["not": [:]]) : .one(of: all)).about(about)
  }

  /// A name as components may have one: what else is in it becomes its bytes.
  private static func plain(_ name: String) -> String {
    name.utf8.map { byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "._-".unicodeScalars.contains(scalar))
      return isPlain ? String(scalar) : "_\(byte)"
    }.joined()
  }

  private static func free(_ title: String, beside others: [String: Schema]) -> String {
    var free = title
    while others[free] != nil { free += "_" }
    return free
  }
}
