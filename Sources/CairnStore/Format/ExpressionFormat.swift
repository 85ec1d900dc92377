import CairnCore

/// Expressions of templates on the disk.
enum ExpressionFormat {
  static func write(_ expression: Expression, _ writer: inout DiskWriter) {
    switch expression {
    case .literal(let value): writer.wrapped("literal") { $0.write(value) }
    case .reference(let reference): writer.wrapped("reference") { ReferenceFormat.write(reference, &$0) }
    case .template(let parts):
      writer.wrapped("template") { writer in
        writer.open("[")
        for part in parts {
          writer.separate()
          switch part {
          case .text(let text): writer.wrapped("text") { $0.write(text) }
          case .reference(let reference): writer.wrapped("reference") { ReferenceFormat.write(reference, &$0) }
          }
        }
        writer.close("]")
      }
    case .array(let elements):
      writer.wrapped("array") { writer in
        writer.open("[")
        for element in elements {
          writer.separate()
          write(element, &writer)
        }
        writer.close("]")
      }
    case .object(let members): writer.wrapped("object") { TemplateFormat.write(members, &$0) }
    }
  }

  static func expression(_ reader: inout DiskReader) throws(UnreadableFormat) -> Expression {
    var found: Expression?
    try reader.object { reader, kind throws(UnreadableFormat) in
      switch kind {
      case "literal": found = .literal(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.value() })
      case "reference": found = .reference(try reader.only("_0", ReferenceFormat.reference))
      case "template":
        var parts: [Expression.Part] = []
        _ = try reader.only("_0") { reader throws(UnreadableFormat) in
          try reader.array { reader throws(UnreadableFormat) in parts.append(try part(&reader)) }
        }
        found = .template(parts)
      case "array":
        var elements: [Expression] = []
        _ = try reader.only("_0") { reader throws(UnreadableFormat) in
          try reader.array { reader throws(UnreadableFormat) in elements.append(try expression(&reader)) }
        }
        found = .array(elements)
      case "object": found = .object(try reader.only("_0", TemplateFormat.members))
      default: throw reader.unknown(kind)
      }
    }
    guard let found else { throw reader.missing("an expression") }
    return found
  }

  private static func part(_ reader: inout DiskReader) throws(UnreadableFormat) -> Expression.Part {
    var found: Expression.Part?
    try reader.object { reader, kind throws(UnreadableFormat) in
      switch kind {
      case "text": found = .text(try reader.only("_0") { reader throws(UnreadableFormat) in try reader.string() })
      case "reference": found = .reference(try reader.only("_0", ReferenceFormat.reference))
      default: throw reader.unknown(kind)
      }
    }
    guard let found else { throw reader.missing("a part") }
    return found
  }
}
