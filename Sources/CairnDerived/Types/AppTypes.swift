package import CairnCore

/// The steps, screens and facts of an app as types of a programming language, for clients. The same definition always produces the same text.
package struct AppTypes: Sendable {
  let app: String
  let hash: String
  /// The steps that a client may post, sorted by name.
  let steps: [Shape]
  /// All screens, sorted by name.
  let screens: [Shape]
  /// The facts that clients can see or set, sorted by name.
  let facts: [Field]
  /// The sets to which the types of the others refer, sorted by name.
  let sets: [NamedSet]
  /// The names of the sets' types, by the sets' names.
  let setTypes: [String: String]

  /// A set whose values are written once, as a type of its own.
  struct NamedSet: Sendable {
    let name: String
    /// The name of its type.
    let type: String
    let values: [Value]
  }

  /// A step or a screen with its params.
  struct Shape: Sendable {
    let name: String
    let fields: [Field]
  }

  /// A param or a fact.
  struct Field: Sendable {
    let name: String
    let type: ParameterDefinition
    /// Whether the value may be missing.
    let isOptional: Bool
    /// Whether the session's client may set the fact.
    var isClients = false
  }

  /// Reads the types from a definition. `hash` is the definition's hash, which appears in the generated file.
  package init(_ definition: Definition, hash: String) {
    app = definition.app
    self.hash = hash
    // A param with a default can be omitted in a step; on a screen it always has a value.
    steps = definition.steps.filter { !$0.value.isInternal }.map { name, step in
      Shape(name: name, fields: Self.fields(step.params) { $0.isOptional || $0.defaultValue != nil })
    }.sorted { $0.name < $1.name }
    screens = definition.screens.map { name, screen in
      // Clients see `true` instead of a secret.
      let params = screen.params.mapValues { $0.isSecret ? ParameterDefinition(.boolean, isOptional: $0.isOptional) : $0 }
      return Shape(name: name, fields: Self.fields(params) { $0.isOptional && $0.defaultValue == nil })
    }.sorted { $0.name < $1.name }
    facts = definition.facts.filter { $0.value.isShown || $0.value.isClients }.map { name, fact in
      Field(name: name, type: fact.type, isOptional: true, isClients: fact.isClients)
    }.sorted { $0.name < $1.name }
    sets = Self.sets((steps + screens).flatMap(\.fields) + facts)
    setTypes = Dictionary(uniqueKeysWithValues: sets.map { ($0.name, $0.type) })
  }

  private static func sets(_ fields: [Field]) -> [NamedSet] {
    var values: [String: [Value]] = [:]
    for set in fields.compactMap(\.type.allowed) { if let name = set.name { values[name] = set.values } }
    var names = Names(reserved: [])
    return values.sorted { $0.key < $1.key }.map { NamedSet(name: $0.key, type: "Set" + names.type($0.key), values: $0.value) }
  }

  /// Returns the text of the generated file, which ends with a line break.
  package func text(in language: Language) -> String {
    switch language {
    case .typescript: typeScript
    case .swift: swift
    case .kotlin: kotlin
    }
  }

  private static func fields(
    _ params: [String: ParameterDefinition], _ isOptional: (ParameterDefinition) -> Bool
  ) -> [Field] {
    params.map { Field(name: $0, type: $1, isOptional: isOptional($1)) }.sorted { $0.name < $1.name }
  }

  /// The lines of the comment at the top of the generated file.
  var header: [String] {
    ["The steps, screens and facts of \(app), written by cairn types. Not to be changed by hand.", "Definition: \(hash)"]
  }
}
