package import CairnCore

/// A JSON Schema (2020-12).
package struct Schema: JSONWritable, Hashable, Sendable {
  package private(set) var value: Value

  package init(_ value: Value) { self.value = value }

  package func write(to writer: inout JSONWriter) { value.write(to: &writer) }

  /// Returns a copy with an additional keyword.
  package func with(_ keyword: String, _ word: Value) -> Schema {
    var schema = self
    schema.value.set(word, at: [keyword])
    return schema
  }

  /// Returns a copy with a description.
  package func about(_ text: String) -> Schema { with("description", .string(text)) }
}

extension Schema {
  package static let any = Schema([:])
  package static let text = Schema(["type": "string"])
  package static let flag = Schema(["type": "boolean"])
  package static let null = Schema(["type": "null"])
  package static let number = Schema(["type": "number"])

  /// A string without control characters.
  package static let line = text(like: #"^[^\u0000-\u001f\u007f-\u009f]*$"#)

  /// The hash of a definition.
  package static let definitionHash = text(like: "^[0-9a-f]{64}$")

  /// A key of 32 bytes in base64. Only four bits of the last character belong to the key; the others are zero.
  package static let fileKey = text(like: "^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$")

  /// The schema of a URL to open.
  package static let url = text.with("maxLength", .integer(LinkLimit.bytes))

  /// The schema of an access token.
  package static let token = text(like: TokenText.pattern).with("maxLength", .integer(TokenText.limit))

  /// The schema of a string that matches a regular expression.
  package static func text(like pattern: String) -> Schema { text.with("pattern", .string(pattern)) }

  /// The schema of a 64-bit integer in a range that includes both bounds.
  package static func whole(from least: Int = .min, to most: Int = .max) -> Schema {
    var schema = Schema(["type": "integer", "format": "int64"])
    if least != .min { schema = schema.with("minimum", .integer(least)) }
    return schema.with("maximum", .integer(most))
  }

  /// The schema of a string that is one of the given strings.
  package static func words(_ words: [String]) -> Schema { text.with("enum", .array(words.map(Value.string))) }

  /// The schema of a string that is one of the raw values of an enum.
  package static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> Schema where Word.RawValue == String {
    words(Word.allCases.map(\.rawValue))
  }

  /// The schema of exactly this string: an `enum` with one element, because client generators treat `const` as a default value.
  package static func only(_ word: String) -> Schema { words([word]) }

  /// The schema of a boolean that is always `true`.
  package static let onlyTrue = Schema(["type": "boolean", "enum": [true]])

  package static func list(of element: Schema, atLeast least: Int = 0, atMost most: Int? = nil) -> Schema {
    var schema = Schema(["type": "array", "items": element.value])
    if least > 0 { schema = schema.with("minItems", .integer(least)) }
    return most.map { schema.with("maxItems", .integer($0)) } ?? schema
  }

  /// The schema of an object with arbitrary member names.
  package static func map(of element: Schema) -> Schema { Schema(["type": "object", "additionalProperties": element.value]) }

  /// The schema of a value that matches exactly one of the given schemas.
  package static func one(of schemas: [Schema]) -> Schema { Schema(["oneOf": .array(schemas.map(\.value))]) }

  package static func orNull(_ schema: Schema) -> Schema { one(of: [schema, .null]) }

  /// A reference to a component of the document.
  package static func shared(_ component: Component) -> Schema { component.reference }

  /// A reference to the component of the document with this name.
  package static func named(_ name: String) -> Schema { Schema(["$ref": .string("#/components/schemas/\(name)")]) }

  /// The schema of an object in a response. The object has these members, and later versions may add others.
  package static func object(_ properties: [Property]) -> Schema {
    var schema = Schema(["type": "object"])
    if !properties.isEmpty {
      let named = properties.map { ($0.name, $0.schema.value) }
      schema = schema.with("properties", .object(Dictionary(named) { _, last in last }))
    }
    let required = properties.filter(\.isRequired).map { Value.string($0.name) }
    return required.isEmpty ? schema : schema.with("required", .array(required))
  }

  /// The schema of an object that has no members other than the given ones.
  package static func closed(_ properties: [Property]) -> Schema { object(properties).with("additionalProperties", false) }
}

/// A member of an object.
package struct Property: Sendable {
  package var name: String
  package var schema: Schema
  package var isRequired: Bool

  /// Creates a member that is always present.
  package init(_ name: String, _ schema: Schema, _ about: String = "") { self.init(name, schema, about, isRequired: true) }

  /// Creates a member that may be missing.
  package static func maybe(_ name: String, _ schema: Schema, _ about: String = "") -> Property {
    Property(name, schema, about, isRequired: false)
  }

  private init(_ name: String, _ schema: Schema, _ about: String, isRequired: Bool) {
    self.name = name
    self.schema = about.isEmpty ? schema : schema.about(about)
    self.isRequired = isRequired
  }
}
