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
  /// The number of bytes that are left for more schemas.
  private var room = Self.sizeLimit

  /// Thrown if the schemas would have more than `sizeLimit` bytes.
  package struct TooLarge: Error {}

  /// Maximum size of all schemas as JSON, in bytes.
  package static let sizeLimit = 16 << 20

  /// Derives the schemas from a definition. Throws as soon as the schemas have more than `sizeLimit` bytes.
  package init(_ definition: Definition, hash: String) throws(TooLarge) {
    name = definition.app
    self.hash = hash
    let sets = definition.clientSets
    let types = TypeSchemas(Dictionary(uniqueKeysWithValues: sets.map { ($0.name, names.take("Set" + SchemaNames.pascal($0.name))) }))
    for (name, values) in sets { try put(Schema(["enum": .array(values)]), as: types.component(of: name)) }
    let facts = types.facts(definition)
    try add(types.steps(definition), to: .step, "One of the app's steps, as a client posts it.")
    try add(types.routes(definition), to: .route, "An entry of the stack, which shows one of the app's screens.")
    try add(types.nodes(definition), to: .node, "A node of the tree with its descendants.")
    try put(types.shownFacts(definition), as: Component.facts.rawValue)
    for (name, schema) in ActionRow[.facts].schemas(with: [Property("set", facts)]) { try put(schema, as: name) }
    try put(CreationRequest.schema(app: definition.app, facts: facts), as: Component.creation.rawValue)
  }

  private mutating func put(_ schema: Schema, as name: String) throws(TooLarge) {
    room -= name.utf8.count + schema.value.approximateSize
    guard room >= 0 else { throw TooLarge() }
    components[name] = schema
  }

  /// A step, a screen or a container: its name, its params if it has any, and the function that builds its schema from the params.
  struct Part {
    var name: String
    var params: Property?
    var schema: (Property) -> Schema
  }

  /// Adds one schema for each part, one for the params of each part, and one for the choice between all parts. If there is only one part,
  /// its schema gets the component's name, because generators create no type for a choice with one alternative.
  private mutating func add(_ parts: some Collection<Part>, to component: Component, _ about: String) throws(TooLarge) {
    var all: [Schema] = []
    for part in parts {
      let title = names.take(component.rawValue + SchemaNames.pascal(part.name))
      var params = part.params ?? .maybe("params", .closed([]))
      if part.params != nil {
        let name = names.take(title + "Params")
        try put(params.schema, as: name)
        params.schema = .named(name)
      }
      let schema = part.schema(params)
      guard parts.count > 1 else {
        return try put(schema.about(about), as: component.rawValue)
      }
      try put(schema, as: title)
      all.append(.named(title))
    }
    // If the app has no such part, the schema accepts no value.
    try put((all.isEmpty ? Schema(["not": [:]]) : .one(of: all)).about(about), as: component.rawValue)
  }
}

extension Definition {
  /// The sets in the types of facts, of screens' params, and of the params of steps that clients post. Sorted by name.
  fileprivate var clientSets: [(name: String, values: [Value])] {
    let params = steps.values.filter { !$0.isInternal }.map(\.params) + screens.values.map(\.params)
    var sets: [String: [Value]] = [:]
    for type in params.flatMap(\.values) + facts.values.map(\.type) {
      if let set = type.allowed ?? type.bounds?.item?.allowed, let name = set.name { sets[name] = set.values }
    }
    return sets.sortedByKey.map { ($0.key, $0.value) }
  }
}

extension Value {
  /// The size as JSON in bytes, without escapes.
  fileprivate var approximateSize: Int {
    switch self {
    case .null, .bool, .sealed: 5
    case .integer(let value): value.description.utf8.count
    case .number(let value): value.description.utf8.count
    case .string(let text): text.utf8.count + 2
    case .array(let elements): elements.reduce(2) { $0 + $1.approximateSize + 1 }
    case .object(let members): members.reduce(2) { $0 + $1.key.utf8.count + $1.value.approximateSize + 4 }
    }
  }
}
