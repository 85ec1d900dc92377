package import CairnCore

/// The steps, screens, flows and facts of an app as types of a programming language, for clients. The same definition always produces the same text.
package struct AppTypes: Sendable {
  let app: String
  let hash: String
  /// The steps that a client may post, sorted by name.
  let steps: [Shape]
  /// All screens, sorted by name.
  let screens: [Shape]
  /// The flows that have params, each with its params, sorted by name.
  let flowParams: [Shape]
  /// The flows that have facts, each with its facts, sorted by name.
  let flowFacts: [Shape]
  /// The facts that clients can see or set, sorted by name.
  let facts: [Field]
  /// The sets to which the types of steps, screens, flows and facts refer, sorted by name.
  let sets: [NamedSet]
  /// The names of the sets' types, by the sets' names.
  let setTypes: [String: String]

  /// A set whose values are written once, as a separate type.
  struct NamedSet: Sendable {
    let name: String
    /// The name of the generated type.
    let type: String
    let values: [Value]
  }

  /// A step, a screen or a flow with its params, or a flow with its facts.
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

    /// The bounds of the value, such as `from 1 to 9`, for a comment; `nil` if there are none.
    var rules: String? {
      guard let bounds = type.bounds, type.allowed == nil else { return nil }
      let rules = bounds.rules
      return rules.isEmpty ? nil : rules.joined(separator: ", ")
    }
  }

  /// Reads the types from a definition. `hash` is the definition's hash, which appears in the generated file.
  package init(_ definition: Definition, hash: String) {
    app = definition.app
    self.hash = hash
    // A param with a default can be omitted in a step; on a screen it always has a value.
    steps = definition.steps.filter { $0.value.isClients }.map { name, step in
      Shape(name: name, fields: Self.fields(step.params) { $0.isOptional || $0.defaultValue != nil })
    }.sorted { $0.name < $1.name }
    screens = definition.screens.map { name, screen in
      Self.shown(name, screen.params) { $0.isOptional && $0.defaultValue == nil }
    }.sorted { $0.name < $1.name }
    let flows = definition.flows.sortedByKey
    flowParams = flows.filter { !$0.value.params.isEmpty }.map { name, flow in
      Self.shown(name, flow.params) { $0.isOptional && $0.defaultValue == nil }
    }
    // A flow's fact that has no default has no value until a value is written.
    flowFacts = flows.filter { !$0.value.facts.isEmpty }.map { name, flow in Self.shown(name, flow.facts) { $0.defaultValue == nil } }
    facts = definition.facts.filter { $0.value.isShown || $0.value.isClients }.map { name, fact in
      Field(name: name, type: fact.type, isOptional: true, isClients: fact.isClients)
    }.sorted { $0.name < $1.name }
    sets = Self.sets((steps + screens + flowParams + flowFacts).flatMap(\.fields) + facts)
    setTypes = Dictionary(uniqueKeysWithValues: sets.map { ($0.name, $0.type) })
  }

  /// The params or facts of a screen or flow as clients see them. A secret has the type boolean, because clients see `true` instead of its
  /// value.
  private static func shown(
    _ name: String, _ types: [String: ParameterDefinition], _ isOptional: (ParameterDefinition) -> Bool
  ) -> Shape {
    let types = types.mapValues {
      $0.isSecret ? ParameterDefinition(.boolean, isOptional: $0.isOptional, defaultValue: $0.defaultValue.map { _ in true }) : $0
    }
    return Shape(name: name, fields: fields(types, isOptional))
  }

  private static func sets(_ fields: [Field]) -> [NamedSet] {
    var values: [String: [Value]] = [:]
    for set in fields.compactMap({ $0.type.allowed ?? $0.type.bounds?.item?.allowed }) {
      if let name = set.name { values[name] = set.values }
    }
    var names = Names(reserved: [])
    return values.sortedByKey.map { NamedSet(name: $0.key, type: "Set" + names.type($0.key), values: $0.value) }
  }

  /// The generated types `FlowParams` and `FlowFacts`, each with its comment. A type is omitted if it would be empty.
  var ofFlows: [(name: String, about: String, shapes: [Shape])] {
    [
      (name: "FlowParams", about: "The params of each flow, by the flow's name.", shapes: flowParams),
      (name: "FlowFacts", about: "The facts of each flow, by the flow's name.", shapes: flowFacts),
    ].filter { !$0.shapes.isEmpty }
  }

  /// The lines of types that are nested in another type, indented, with an empty line between the types.
  static func nested(_ types: [[String]]) -> [String] { types.joined().dropLast().map { $0.isEmpty ? "" : "  " + $0 } }

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

  /// The bounds of the fields that have bounds, each as a line of text such as `amount: from 1 to 9`.
  static func rules(of fields: [Field]) -> [String] { fields.compactMap { field in field.rules.map { "\(field.name): \($0)" } } }

  /// The lines of the comment at the top of the generated file.
  var header: [String] {
    ["The steps, screens, flows and facts of \(app), generated by cairn types. Do not change this file by hand.", "Definition: \(hash)"]
  }
}
