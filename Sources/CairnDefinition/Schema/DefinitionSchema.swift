package import CairnCore

/// The definition language as JSON Schema (2020-12), for editors. It describes the members and the forms of their values, without the rules
/// that depend on a file's own names.
package enum DefinitionSchema {
  /// The schema's identifier, a URN.
  static let id = "urn:cairn:app:1"

  /// The identifier of the schema of included files.
  static let idOfPart = "urn:cairn:app-part:1"

  /// The schema of a definition's main file as a value.
  package static var value: Value {
    schema(
      of: .file, id, "Cairn app definition",
      "An app's navigation: flows, screens, steps, links. docs/definition.md teaches the language, docs/reference.md lists every member.")
  }

  /// The schema of a file that a definition includes. Such a file has only sections that join those of the main file.
  package static var valueOfPart: Value {
    let notifications = MemberTable(MemberTable.notifications.joined)
    let members = MemberTable.file.joined.map { member in
      member.name == "notifications"
        ? MemberTable.Member(member.name, .orNull(.object(notifications)), member.about) : member
    }
    let language = MemberTable.file.members.filter { $0.name == "language" }.map { MemberTable.Member($0.name, $0.shape, $0.about) }
    return schema(
      of: MemberTable(language + members), idOfPart, "Included file of a Cairn app definition",
      "Sections of an app's navigation that are joined with those of the main file. docs/patterns.md describes included files.")
  }

  private static func schema(of table: MemberTable, _ id: String, _ title: String, _ description: String) -> Value {
    var definitions: [String: Value] = [:]
    for shared in SharedShape.allCases {
      var schema = shared.shape.schema
      schema.set(.string(shared.about), at: ["description"])
      if !shared.examples.isEmpty { schema.set(.array(shared.examples), at: ["examples"]) }
      definitions[shared.rawValue] = schema
    }
    var schema = table.schema
    schema.set("https://json-schema.org/draft/2020-12/schema", at: ["$schema"])
    schema.set(.string(id), at: ["$id"])
    schema.set(.string(title), at: ["title"])
    schema.set(.string(description), at: ["description"])
    schema.set(.object(definitions), at: ["$defs"])
    return schema
  }

  /// The schema as the text of a file, with a line break at its end.
  package static var text: String { value.indentedText + "\n" }

  /// The schema of included files as the text of a file.
  package static var textOfPart: String { valueOfPart.indentedText + "\n" }
}

extension MemberTable {
  /// The schema of an object that has these members and no others.
  fileprivate var schema: Value {
    var properties: [String: Value] = [:]
    for member in members { properties[member.name] = member.schema }
    var schema: Value = ["type": "object", "properties": .object(properties), "additionalProperties": false]
    if !required.isEmpty { schema.set(.array(required.map(Value.string)), at: ["required"]) }
    if !alternatives.isEmpty { schema.set(.array(alternatives.map { ["required": [.string($0)]] }), at: ["oneOf"]) }
    return schema
  }
}

extension MemberTable.Member {
  fileprivate var schema: Value {
    var schema = shape.schema
    schema.set(.string(about), at: ["description"])
    return schema
  }
}

extension Shape {
  fileprivate var schema: Value {
    switch self {
    case .any: return [:]
    case .text: return ["type": "string"]
    case .pattern(let pattern): return ["type": "string", "pattern": .string(pattern)]
    case .flag: return ["type": "boolean"]
    case .null: return ["type": "null"]
    case .number: return ["type": "number"]
    case .whole(let least): return ["type": "integer", "minimum": .integer(least)]
    case .word(let words): return ["enum": .array(words.map(Value.string))]
    case .constant(let value): return ["enum": [value]]
    case .list(let element, let least):
      var schema: Value = ["type": "array", "items": element.schema]
      if least > 0 { schema.set(.integer(least), at: ["minItems"]) }
      return schema
    case .map(let element, let least, let beside):
      var schema: Value = ["type": "object", "additionalProperties": element.schema]
      if least > 0 { schema.set(.integer(least), at: ["minProperties"]) }
      for member in beside { schema.set(member.schema, at: ["properties", member.name]) }
      return schema
    case .object(let table): return table.schema
    case .oneOf(let shapes): return ["anyOf": .array(shapes.map(\.schema))]
    case .shared(let shared): return ["$ref": .string("#/$defs/\(shared.rawValue)")]
    }
  }
}
