import CairnCore
import Testing

/// Validates against the part of JSON Schema (2020-12) that the schema of definitions uses. Any other keyword is an error.
struct SchemaValidator {
  private let root: Value
  private let regexes: [String: Regex<AnyRegexOutput>]

  struct UnknownKeyword: Error {
    var keyword: String
  }

  init(_ root: Value) throws {
    self.root = root
    var patterns: Set<String> = []
    try SchemaValidator.visit(root) { schema in
      for keyword in schema.keys where !SchemaValidator.keywords.contains(keyword) { throw UnknownKeyword(keyword: keyword) }
      if case .string(let pattern)? = schema["pattern"] { patterns.insert(pattern) }
    }
    regexes = Dictionary(uniqueKeysWithValues: try patterns.map { ($0, try Regex($0)) })
  }

  private static let keywords: Set = [
    "$schema", "$id", "$defs", "$ref", "title", "description", "examples", "type", "enum", "anyOf", "oneOf", "properties",
    "additionalProperties", "required", "items", "minItems", "minProperties", "minimum", "pattern",
  ]

  /// Visits a schema and all its subschemas.
  static func visit(_ schema: Value, _ body: ([String: Value]) throws -> Void) throws {
    guard case .object(let members) = schema else { return }
    try body(members)
    for name in ["items", "additionalProperties"] { if let inner = members[name] { try visit(inner, body) } }
    for name in ["anyOf", "oneOf"] {
      if case .array(let inner)? = members[name] { for schema in inner { try visit(schema, body) } }
    }
    for name in ["properties", "$defs"] {
      if case .object(let inner)? = members[name] { for schema in inner.values { try visit(schema, body) } }
    }
  }

  func isValid(_ value: Value) -> Bool { isValid(value, by: root) }

  func isValid(_ value: Value, by schema: Value) -> Bool {
    guard case .object(let keywords) = schema else { return schema == true }
    return keywords.allSatisfy { keyword, argument in
      switch (keyword, argument) {
      case ("$ref", .string(let name)):
        root["$defs"]?[String(name.dropFirst("#/$defs/".count))].map { isValid(value, by: $0) } ?? false
      case ("type", .string(let type)): value.kindName == type || (type == "number" && value.kindName == "integer")
      case ("enum", .array(let values)): values.contains(value)
      case ("anyOf", .array(let schemas)): schemas.contains { isValid(value, by: $0) }
      case ("oneOf", .array(let schemas)): schemas.filter { isValid(value, by: $0) }.count == 1
      case ("pattern", .string(let pattern)): fits(value, pattern)
      case ("minimum", .integer(let least)): if case .integer(let number) = value { number >= least } else { true }
      case ("minItems", .integer(let least)): if case .array(let elements) = value { elements.count >= least } else { true }
      case ("minProperties", .integer(let least)): if case .object(let members) = value { members.count >= least } else { true }
      case ("items", _): if case .array(let elements) = value { elements.allSatisfy { isValid($0, by: argument) } } else { true }
      case ("required", .array(let names)):
        if case .object(let members) = value { names.allSatisfy { members[$0.shortText] != nil } } else { true }
      case ("properties", .object(let schemas)):
        if case .object(let members) = value {
          members.allSatisfy { name, member in schemas[name].map { isValid(member, by: $0) } ?? true }
        } else {
          true
        }
      case ("additionalProperties", _):
        if case .object(let members) = value {
          members.allSatisfy { name, member in keywords["properties"]?[name] != nil || isValid(member, by: argument) }
        } else {
          true
        }
      default: true
      }
    }
  }

  private func fits(_ value: Value, _ pattern: String) -> Bool {
    guard case .string(let text) = value, let regex = regexes[pattern] else { return true }
    return text.contains(regex)
  }
}

@Suite struct SchemaValidatorTests {
  @Test(
    arguments: [
      (["type": "string"], "a", true), (["type": "string"], 1, false), (["type": "null"], .null, true),
      (["enum": ["a", 1]], 1, true), (["enum": ["a", 1]], "1", false), (["minimum": 1], 0, false), (["minimum": 1], 1, true),
      (["pattern": "^/"], "/x", true), (["pattern": "^/"], "x/", false), (["items": ["type": "integer"]], [1, "a"], false),
      (["minItems": 1], [], false), (["minProperties": 1], [:], false), (["required": ["a"]], ["b": 1], false),
      (["properties": ["a": ["type": "integer"]], "additionalProperties": false], ["a": 1], true),
      (["properties": ["a": ["type": "integer"]], "additionalProperties": false], ["a": "x"], false),
      (["properties": ["a": ["type": "integer"]], "additionalProperties": false], ["b": 1], false),
      (["additionalProperties": ["type": "integer"]], ["b": 1], true), (["additionalProperties": ["type": "integer"]], ["b": "x"], false),
      (["anyOf": [["type": "string"], ["type": "integer"]]], true, false), (["anyOf": [["type": "string"], ["type": "integer"]]], 1, true),
      (["oneOf": [["required": ["a"]], ["required": ["b"]]]], ["a": 1, "b": 1], false),
      (["oneOf": [["required": ["a"]], ["required": ["b"]]]], ["a": 1], true),
      (["$ref": "#/$defs/n", "$defs": ["n": ["type": "integer"]]], 1, true),
      (["$ref": "#/$defs/n", "$defs": ["n": ["type": "integer"]]], "1", false),
    ] as [(Value, Value, Bool)]) func `the validator follows the standard`(schema: Value, value: Value, isValid: Bool) throws
  {
    #expect(try SchemaValidator(schema).isValid(value) == isValid)
  }

  @Test func `an unknown keyword is reported`() {
    #expect(throws: SchemaValidator.UnknownKeyword.self) { try SchemaValidator(["items": ["maxItems": 3]]) }
  }
}
