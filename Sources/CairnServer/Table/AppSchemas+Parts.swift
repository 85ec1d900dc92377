import CairnAPI
import CairnCore

extension AppSchemas {
  /// The steps that clients can post, sorted by name.
  static func steps(_ definition: Definition) -> [Part] {
    definition.steps.filter { !$0.value.isInternal }.sorted { $0.key < $1.key }.map { name, step in
      Part(name: name, params: given(step.params)) { ActionRequest.stepSchema(named: name, params: $0) }
    }
  }

  /// The screens as entries of the stack, sorted by name.
  static func routes(_ definition: Definition) -> [Part] {
    definition.screens.sorted { $0.key < $1.key }.map { name, screen in
      Part(name: name, params: shown(screen.params)) { TreeSchema.route(screen: .only(name), params: $0) }
    }
  }

  /// The container, and the screens as nodes, sorted by name.
  static func nodes(_ definition: Definition) -> [Part] {
    let flows = definition.flows.keys.sorted()
    return [Part(name: "container") { _ in TreeSchema.container(named: .words(flows)) }]
      + definition.screens.sorted { $0.key < $1.key }.map { name, screen in
        Part(name: name, params: shown(screen.params)) { TreeSchema.screen(named: .only(name), params: $0) }
      }
  }

  /// The schema of the facts that a request can set.
  static func facts(_ definition: Definition) -> Schema {
    .closed(
      definition.facts.sorted { $0.key < $1.key }.map { name, fact in
        .maybe(
          name, type(fact.type, orNull: true), fact.isClients ? "Set by the session's client or an operator." : "Set only by an operator.")
      })
  }

  /// The schema of the facts that a response contains.
  static func shownFacts(_ definition: Definition) -> Schema {
    let own = definition.facts.filter(\.value.isShown).sorted { $0.key < $1.key }
    return Schema.object(
      [Property(FactDefinition.accessToken, .flag, "Whether the session has an access token.")]
        + own.map { .maybe($0.key, type($0.value.type)) }
    ).about("Facts by name.")
  }

  /// The params in a request, where those with a default can be omitted; `nil` if there are no params.
  private static func given(_ params: [String: ParameterDefinition]) -> Property? {
    if params.isEmpty { return nil }
    let properties: [Property] = params.sorted { $0.key < $1.key }.map { name, param in
      var schema = type(param, orNull: param.isOptional)
      if param.isSecret { schema = schema.with("writeOnly", true) }
      return param.isOptional || param.defaultValue != nil ? .maybe(name, schema) : Property(name, schema)
    }
    return properties.contains(where: \.isRequired) ? Property("params", .closed(properties)) : .maybe("params", .closed(properties))
  }

  /// The params in a response, which contains those with a default; `nil` if there are no params.
  private static func shown(_ params: [String: ParameterDefinition]) -> Property? {
    if params.isEmpty { return nil }
    let properties: [Property] = params.sorted { $0.key < $1.key }.map { name, param in
      let schema: Schema = param.isSecret ? .flag.about("Always true, because the value is secret.") : type(param)
      return param.isOptional && param.defaultValue == nil ? .maybe(name, schema) : Property(name, schema)
    }
    return properties.contains(where: \.isRequired) ? Property("params", .closed(properties)) : .maybe("params", .closed(properties))
  }

  /// The schema of a value of the given type.
  private static func type(_ definition: ParameterDefinition, orNull isNullable: Bool = false) -> Schema {
    var schema: Schema =
      switch definition.kind {
      case .string: .text
      case .integer: .whole()
      case .number: .number
      case .boolean: .flag
      case .any: .shared(.value)
      }
    if let allowed = definition.allowed { schema = Schema(["enum": .array(allowed)]) }
    if isNullable, definition.kind != .any || definition.allowed != nil { schema = .orNull(schema) }
    return definition.defaultValue.map { schema.with("default", $0) } ?? schema
  }
}
