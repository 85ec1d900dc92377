/// The stored form of expressions in templates.
enum ExpressionFormat {
  static func write(_ expression: Expression, _ writer: inout JSONWriter) {
    switch expression {
    case .literal(let value): writer.wrapped("literal") { value.write(to: &$0) }
    case .reference(let reference): writer.wrapped("reference") { ReferenceFormat.write(reference, &$0) }
    case .template(let parts):
      writer.wrapped("template") { writer in
        writer.beginArray()
        for part in parts {
          switch part {
          case .text(let text): writer.wrapped("text") { $0.string(text) }
          case .reference(let reference): writer.wrapped("reference") { ReferenceFormat.write(reference, &$0) }
          }
        }
        writer.endArray()
      }
    case .array(let elements):
      writer.wrapped("array") { writer in
        writer.beginArray()
        for element in elements {
          write(element, &writer)
        }
        writer.endArray()
      }
    case .object(let members): writer.wrapped("object") { TemplateFormat.write(members, &$0) }
    }
  }

  static func expression(_ element: JSONElement) throws(UnreadableFormat) -> Expression {
    var found: Expression?
    for (kind, value) in try element.readMembers() {
      switch kind {
      case "literal": found = .literal(try value.readOnly("_0").stored)
      case "reference": found = .reference(try ReferenceFormat.reference(value.readOnly("_0")))
      case "template":
        var parts: [Expression.Part] = []
        for element in try value.readOnly("_0").readElements() { parts.append(try part(element)) }
        found = .template(parts)
      case "array":
        var elements: [Expression] = []
        for element in try value.readOnly("_0").readElements() { elements.append(try expression(element)) }
        found = .array(elements)
      case "object": found = .object(try TemplateFormat.members(value.readOnly("_0")))
      default: throw kind.unknown
      }
    }
    guard let found else { throw element.missing("an expression") }
    return found
  }

  private static func part(_ element: JSONElement) throws(UnreadableFormat) -> Expression.Part {
    var found: Expression.Part?
    for (kind, value) in try element.readMembers() {
      switch kind {
      case "text": found = .text(try value.readOnly("_0").readString())
      case "reference": found = .reference(try ReferenceFormat.reference(value.readOnly("_0")))
      default: throw kind.unknown
      }
    }
    guard let found else { throw element.missing("a part") }
    return found
  }
}
