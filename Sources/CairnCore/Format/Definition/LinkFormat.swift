/// The form of links in `DefinitionFormat`.
enum LinkFormat {
  static func write(_ link: LinkDefinition, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.texts("hosts", link.hosts)
      writer.texts("schemes", link.schemes)
      writer.list("path", link.path) { segment, writer in
        writer.beginArray()
        writer.string(word(segment))
        writer.string(segment.name ?? segment.text)
        writer.endArray()
      }
      writer.texts("query", link.query)
      writer.list("steps", link.steps, as: TemplateFormat.write)
      writer.member("requires", link.requires, as: GuardFormat.write)
      writer.member("hold", link.hold)
      writer.member("else", link.otherwise, as: TemplateFormat.write)
    }
  }

  static func link(_ element: JSONElement, _ sets: ValueSets) throws(UnreadableFormat) -> LinkDefinition {
    var link = LinkDefinition(path: [], steps: [])
    for (member, value) in try element.readMembers() {
      switch member {
      case "hosts": link.hosts = try value.texts()
      case "schemes": link.schemes = try value.texts()
      case "path": link.path = try value.list(segment)
      case "query": link.query = try value.texts()
      case "steps": link.steps = try value.list(TemplateFormat.step)
      case "requires": link.requires = try GuardFormat.condition(value, sets)
      case "hold": link.hold = try value.readNumber()
      case "else": link.otherwise = try TemplateFormat.step(value)
      default: throw member.unknown
      }
    }
    return link
  }

  private static func word(_ segment: LinkDefinition.Segment) -> String {
    switch segment {
    case .literal: "literal"
    case .capture: "capture"
    case .optional: "optional"
    case .rest: "rest"
    }
  }

  private static func segment(_ element: JSONElement) throws(UnreadableFormat) -> LinkDefinition.Segment {
    let parts = try element.texts()
    guard parts.count == 2 else { throw element.fault("not a segment") }
    return switch parts[0] {
    case "literal": .literal(parts[1])
    case "capture": .capture(parts[1])
    case "optional": .optional(parts[1])
    case "rest": .rest(parts[1])
    default: throw element.fault("not a segment")
    }
  }
}
