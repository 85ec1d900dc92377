/// The form in which a definition is sent to an engine in a client: JSON in which names are resolved and defaults are filled in, so its reader validates
/// nothing. It contains the parts that the engine needs to run clients' actions. It omits the sources of loads (hosts, paths, headers, bodies), OAuth,
/// notifications, the names of environment variables, and the values of facts that clients do not see.
public enum DefinitionFormat {
  /// The number of the form. A reader accepts no other.
  public static let version = 2

  /// Writes a definition. Members that have their usual value are omitted. A definition always has the same bytes. The values of a set are written once,
  /// so the length is proportional to that of the definition's text.
  public static func bytes(_ definition: Definition) -> [UInt8] {
    JSONWriter.stored(isSorted: true, notesSets: true) { writer in
      writer.object { writer in
        writer.member("format", WideInt(version))
        writer.member("app", definition.app)
        writer.name("root")
        ContributionFormat.write(definition.root, &writer)
        if definition.unhandled != .parent { writer.member("unhandled", definition.unhandled.rawValue) }
        if definition.covered != .refuse { writer.member("covered", definition.covered.rawValue) }
        if definition.primitives != .gestures { writer.member("primitives", definition.primitives.rawValue) }
        writer.table("facts", definition.facts, as: ParameterFormat.write)
        writer.table("screens", definition.screens, as: write)
        writer.table("steps", definition.steps, as: write)
        writer.list("rules", definition.rules, as: write)
        writer.table("flows", definition.flows, as: FlowFormat.write)
        writer.list("links", definition.links, as: LinkFormat.write)
        writer.flag("oauth", definition.oauth != nil)
        if definition.heldLinks != 1 { writer.member("heldLinks", WideInt(definition.heldLinks)) }
        SetFormat.writeNoted("sets", &writer)
      }
    }
  }

  /// Reads a definition. Throws for another version and for anything that `bytes` cannot have written.
  public static func read(_ bytes: [UInt8]) throws(UnreadableFormat) -> Definition {
    try JSONElement.reading(bytes) { element throws(UnreadableFormat) in
      guard let format = element["format"]?.integer, format == WideInt(version) else { throw element.fault("an unknown format") }
      var sets: ValueSets = [:]
      if let element = element["sets"] { sets = try SetFormat.sets(element) }
      var definition = Definition(app: "", root: Contribution(.flow("")))
      for (member, value) in try element.readMembers() { try read(member, of: &definition, value, sets) }
      return definition
    }
  }

  private static func read(
    _ member: JSONElement, of definition: inout Definition, _ value: JSONElement, _ sets: ValueSets
  ) throws(UnreadableFormat) {
    switch member {
    case "format", "sets": break
    case "app": definition.app = try value.readString()
    case "root": definition.root = try ContributionFormat.contribution(value)
    case "unhandled": definition.unhandled = try value.readWord()
    case "covered": definition.covered = try value.readWord()
    case "primitives": definition.primitives = try value.readWord()
    case "facts": definition.facts = try value.table { element throws(UnreadableFormat) in try ParameterFormat.fact(element, sets) }
    case "screens": definition.screens = try value.table { element throws(UnreadableFormat) in try screen(element, sets) }
    case "steps": definition.steps = try value.table { element throws(UnreadableFormat) in try step(element, sets) }
    case "rules": definition.rules = try value.list { element throws(UnreadableFormat) in try rule(element, sets) }
    case "flows": definition.flows = try value.table { element throws(UnreadableFormat) in try FlowFormat.flow(element, sets) }
    case "links": definition.links = try value.list { element throws(UnreadableFormat) in try LinkFormat.link(element, sets) }
    case "oauth": definition.oauth = try value.readBool() ? .unknown : nil
    case "heldLinks": definition.heldLinks = try value.readCount()
    default: throw member.unknown
    }
  }

  private static func write(_ screen: ScreenDefinition, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.table("params", screen.params, as: ParameterFormat.write)
      if let emits = screen.emits { writer.member("emits", emits.sorted()) }
      writer.member("meta", ifPresent: screen.meta)
    }
  }

  private static func screen(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> ScreenDefinition {
    var screen = ScreenDefinition()
    for (member, value) in try element.readMembers() {
      switch member {
      case "params": screen.params = try value.table { element throws(UnreadableFormat) in try ParameterFormat.parameter(element, sets) }
      case "emits": screen.emits = Set(try value.texts())
      case "meta": screen.meta = value.stored
      default: throw member.unknown
      }
    }
    return screen
  }

  private static func write(_ step: StepDefinition, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.table("params", step.params, as: ParameterFormat.write)
      writer.flag("internal", step.isInternal)
    }
  }

  private static func step(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> StepDefinition {
    var step = StepDefinition()
    for (member, value) in try element.readMembers() {
      switch member {
      case "params": step.params = try value.table { element throws(UnreadableFormat) in try ParameterFormat.parameter(element, sets) }
      case "internal": step.isInternal = try value.readBool()
      default: throw member.unknown
      }
    }
    return step
  }

  private static func write(_ rule: Rule, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.name("when")
      GuardFormat.write(rule.when, &writer)
      writer.name("step")
      TemplateFormat.write(rule.step, &writer)
    }
  }

  private static func rule(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> Rule {
    guard let when = element["when"], let step = element["step"] else { throw element.missing("a rule's condition or step") }
    return Rule(when: try GuardFormat.condition(when, sets), step: try TemplateFormat.step(step))
  }
}

extension JSONElement {
  /// The case of an enum whose raw value is the text.
  func readWord<Word: RawRepresentable<String>>() throws(UnreadableFormat) -> Word {
    guard let word = Word(rawValue: try readString()) else { throw fault("an unknown word") }
    return word
  }
}

extension OAuthDefinition {
  /// The provider of a definition with OAuth. Clients do not receive its data.
  fileprivate static let unknown = OAuthDefinition(
    authorizationEndpoint: Variable(nil), tokenEndpoint: Variable(nil), clientID: Variable(nil), redirectURL: Variable(nil))
}
