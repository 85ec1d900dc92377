import CairnAPI
import CairnCore

/// The schemas of an app's types, and of the steps, screens and facts that use them.
struct TypeSchemas {
  /// The names of the schemas of sets, by the sets' names.
  private let sets: [String: String]

  init(_ sets: [String: String]) { self.sets = sets }

  /// The name of the schema with the values of a set.
  func component(of set: String) -> String { sets[set, default: set] }

  /// The steps that clients can post, sorted by name. Each element is created only when it is read, because an app may have many steps.
  func steps(_ definition: Definition) -> some Collection<AppSchemas.Part> {
    definition.steps.filter { !$0.value.isInternal }.sortedByKey.lazy.map { name, step in
      AppSchemas.Part(name: name, params: given(step.params)) { ActionRequest.stepSchema(named: name, params: $0) }
    }
  }

  /// The screens as entries of the stack, sorted by name.
  func routes(_ definition: Definition) -> some Collection<AppSchemas.Part> {
    definition.screens.sortedByKey.lazy.map { name, screen in
      AppSchemas.Part(name: name, params: shown(screen.params)) { TreeSchema.route(screen: .only(name), params: $0) }
    }
  }

  /// The containers as one part, and the screens as nodes, sorted by name.
  func nodes(_ definition: Definition) -> some Collection<AppSchemas.Part> {
    let flows = definition.flows.keys.sorted()
    let screens = definition.screens.sortedByKey
    return (0...screens.count).lazy.map { place in
      guard place > 0 else { return AppSchemas.Part(name: "container") { _ in TreeSchema.container(named: .words(flows)) } }
      let (name, screen) = screens[place - 1]
      return AppSchemas.Part(name: name, params: shown(screen.params)) { TreeSchema.screen(named: .only(name), params: $0) }
    }
  }

  /// The schema of the facts that a request can set.
  func facts(_ definition: Definition) -> Schema {
    let isReported = definition.facts[FactDefinition.appState] == FactDefinition.ofApp[FactDefinition.appState]
    return .closed(
      definition.facts.sortedByKey.map { name, fact in
        let about =
          isReported && FactDefinition.ofApp[name] != nil
          ? "Set only by the action `appState`."
          : fact.isClients ? "Set by the session's client or an operator." : "Set only by an operator."
        return .maybe(name, type(fact.type, orNull: true), about)
      })
  }

  /// The schema of the facts that a response contains.
  func shownFacts(_ definition: Definition) -> Schema {
    let own = definition.facts.filter(\.value.isShown).sortedByKey
    return Schema.object(
      [Property(FactDefinition.accessToken, .flag, "Whether the session has an access token.")]
        + own.map { .maybe($0.key, type($0.value.type)) }
    ).about("Facts by name.")
  }

  /// The member `params` of a request, in which optional params and those with a default can be omitted; `nil` if there are no params.
  private func given(_ params: [String: ParameterDefinition]) -> Property? {
    if params.isEmpty { return nil }
    let properties: [Property] = params.sortedByKey.map { name, param in
      var schema = type(param, orNull: param.isOptional)
      if param.isSecret { schema = schema.with("writeOnly", true) }
      return param.isOptional || param.defaultValue != nil ? .maybe(name, schema) : Property(name, schema)
    }
    return properties.contains(where: \.isRequired) ? Property("params", .closed(properties)) : .maybe("params", .closed(properties))
  }

  /// The member `params` of a response, in which params with a default are always present; `nil` if there are no params.
  private func shown(_ params: [String: ParameterDefinition]) -> Property? {
    if params.isEmpty { return nil }
    let properties: [Property] = params.sortedByKey.map { name, param in
      let schema: Schema = param.isSecret ? .flag.about("Always true, because the value is secret.") : type(param)
      return param.isOptional && param.defaultValue == nil ? .maybe(name, schema) : Property(name, schema)
    }
    return properties.contains(where: \.isRequired) ? Property("params", .closed(properties)) : .maybe("params", .closed(properties))
  }

  /// The schema of a value of the given type.
  private func type(_ definition: ParameterDefinition, orNull isNullable: Bool = false) -> Schema {
    var schema: Schema =
      switch definition.kind {
      case .string: .text
      case .integer: .whole()
      case .number: .number
      case .boolean: .flag
      case .list: .list(of: type(definition.bounds?.item ?? ParameterDefinition(.any)))
      case .any: .shared(.value)
      }
    if let allowed = definition.allowed {
      schema = allowed.name.map { .named(component(of: $0)) } ?? Schema(["enum": .array(allowed.values)])
    }
    for (keyword, bound) in bounds(of: definition) { schema = schema.with(keyword, bound) }
    if isNullable, definition.kind != .any || definition.allowed != nil { schema = .orNull(schema) }
    return definition.defaultValue.map { schema.with("default", $0) } ?? schema
  }

  /// The keywords for the bounds of a type. A type with `in` needs none, because its values are within the bounds.
  private func bounds(of definition: ParameterDefinition) -> [(keyword: String, bound: Value)] {
    guard let bounds = definition.bounds, definition.allowed == nil else { return [] }
    let unit = definition.kind == .list ? "Items" : "Length"
    let keywords = [
      ("minimum", bounds.min), ("maximum", bounds.max), ("min\(unit)", bounds.minLength), ("max\(unit)", bounds.maxLength),
      ("pattern", bounds.pattern.map { .string("^(?:\($0.text))$") }),
    ]
    return keywords.compactMap { keyword, bound in bound.map { (keyword, $0) } }
  }
}
