package import CairnCore

/// An app's steps, screens and facts as types of a language, for clients that are written in it: the same definition gives the same text.
package struct AppTypes: Sendable {
  let app: String
  let hash: String
  /// Those that a client may post, by name.
  let steps: [Shape]
  /// By name.
  let screens: [Shape]
  /// Those that clients see or set, by name.
  let facts: [Field]

  /// Something with a name and params.
  struct Shape: Sendable {
    let name: String
    let fields: [Field]
  }

  /// A param or a fact.
  struct Field: Sendable {
    let name: String
    let type: ParameterDefinition
    /// It may be missing.
    let isOptional: Bool
    /// Of a fact: the session's own client sets it.
    var isClients = false
  }

  /// Reads them off a definition; `hash`: what it is known by.
  package init(_ definition: Definition, hash: String) {
    app = definition.app
    self.hash = hash
    // A param with a default can be omitted in a step; on a screen it always has a value.
    steps = definition.steps.filter { !$0.value.isInternal }.map { name, step in
      Shape(name: name, fields: Self.fields(step.params) { $0.isOptional || $0.defaultValue != nil })
    }.sorted { $0.name < $1.name }
    screens = definition.screens.map { name, screen in
      Shape(name: name, fields: Self.fields(screen.params) { $0.isOptional && $0.defaultValue == nil })
    }.sorted { $0.name < $1.name }
    facts = definition.facts.filter { $0.value.isShown || $0.value.isClients }.map { name, fact in
      Field(name: name, type: fact.type, isOptional: true, isClients: fact.isClients)
    }.sorted { $0.name < $1.name }
  }

  /// The text of a file, with a line break at its end.
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

  /// The lines at the top of the file, as comments of the language.
  var header: [String] {
    ["The steps, screens and facts of \(app), written by cairn types. Not to be changed by hand.", "Definition: \(hash)"]
  }
}
