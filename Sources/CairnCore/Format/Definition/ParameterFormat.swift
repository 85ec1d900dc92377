/// The form of params and facts in `DefinitionFormat`.
enum ParameterFormat {
  static func write(_ parameter: ParameterDefinition, _ writer: inout JSONWriter) {
    writer.object { writer in writeMembers(parameter, &writer) }
  }

  static func parameter(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> ParameterDefinition {
    var parameter = ParameterDefinition(.any)
    for (member, value) in try element.readMembers() {
      guard try read(member, of: &parameter, value, sets) else { throw member.unknown }
    }
    return parameter
  }

  /// Writes a fact. For a fact that clients do not see, only the type is written.
  static func write(_ fact: FactDefinition, _ writer: inout JSONWriter) {
    writer.object { writer in
      writeMembers(fact.isShown ? fact.type : ParameterDefinition(fact.type.kind), &writer)
      writer.flag("hidden", !fact.isShown)
      writer.flag("clients", fact.isClients)
    }
  }

  static func fact(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> FactDefinition {
    var fact = FactDefinition(type: ParameterDefinition(.any))
    for (member, value) in try element.readMembers() {
      switch member {
      case "hidden": fact.isShown = !(try value.readBool())
      case "clients": fact.isClients = try value.readBool()
      default: guard try read(member, of: &fact.type, value, sets) else { throw member.unknown }
      }
    }
    return fact
  }

  private static func writeMembers(_ parameter: ParameterDefinition, _ writer: inout JSONWriter) {
    writer.member("kind", parameter.kind.rawValue)
    writer.flag("optional", parameter.isOptional)
    writer.flag("secret", parameter.isSecret)
    writer.member("in", parameter.allowed, as: SetFormat.write)
    writer.member("default", ifPresent: parameter.defaultValue)
  }

  /// Reads a member of a param. Returns `false` for a member that params do not have.
  private static func read(
    _ member: JSONElement, of parameter: inout ParameterDefinition, _ value: JSONElement, _ sets: ValueSets
  ) throws(UnreadableFormat) -> Bool {
    switch member {
    case "kind": parameter.kind = try value.readWord()
    case "optional": parameter.isOptional = try value.readBool()
    case "secret": parameter.isSecret = try value.readBool()
    case "in": parameter.allowed = try SetFormat.values(value, sets)
    case "default": parameter.defaultValue = value.stored
    default: return false
    }
    return true
  }
}
