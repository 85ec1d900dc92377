import CairnCore

/// A member of a request body. Both the reader and the schema of the body use it.
struct Member<Read>: DescribedMember {
  let name: StaticString
  /// The text after "must be" in the message about an invalid value.
  let expected: String
  let property: Property
  var isRequired: Bool { property.isRequired }
  /// Converts the JSON value; returns `nil` if the value has another type.
  let convert: @Sendable (JSONElement) -> Read?

  init(
    _ name: StaticString, _ expected: String, _ schema: Schema, _ about: String, isRequired: Bool = false,
    _ convert: @escaping @Sendable (JSONElement) -> Read?
  ) {
    self.name = name
    self.expected = expected
    property = isRequired ? Property(name.description, schema, about) : .maybe(name.description, schema, about)
    self.convert = convert
  }
}

/// A member without its generic type, for lists of members.
package protocol DescribedMember: Sendable {
  /// The property in an object's schema.
  var property: Property { get }
}

extension Member<String> {
  static func string(_ name: StaticString, _ about: String, isRequired: Bool = false) -> Member {
    Member(name, "a string", .text, about, isRequired: isRequired) { $0.string }
  }

  /// A string without control characters. Read it with `Members.line`, which rejects them.
  static func line(_ name: StaticString, _ about: String, isRequired: Bool = false, atMost most: Int? = nil) -> Member {
    Member(name, "a string", most.map { Schema.line.with("maxLength", .integer($0)) } ?? .line, about, isRequired: isRequired) {
      $0.string
    }
  }
}

extension Member<String> {
  /// A member whose value is a URL to open, of at most `LinkLimit.bytes`.
  static func url(_ name: StaticString, _ about: String, isRequired: Bool = false) -> Member {
    Member(name, "a URL of at most \(LinkLimit.bytes) bytes", .url, about, isRequired: isRequired) {
      $0.string.flatMap { LinkLimit.allows($0) ? $0 : nil }
    }
  }

  /// A member whose value is an access token. Read it with `Members.token`, which checks the token's characters and length.
  static func token(_ name: StaticString, _ about: String) -> Member { Member(name, "a string", .token, about) { $0.string } }
}

extension Member<Bool> {
  static func flag(_ name: StaticString, _ about: String) -> Member { Member(name, "true or false", .flag, about) { $0.bool } }
}

extension Member<Int> {
  static func integer(_ name: StaticString, atLeast minimum: Int, _ about: String) -> Member {
    Member(name, "an integer of at least \(minimum)", .whole(from: minimum), about) { $0.integer.flatMap { $0 >= minimum ? $0 : nil } }
  }
}

extension Member<[String: Value]> {
  static func object(
    _ name: StaticString, _ about: String, of element: Schema = .shared(.value), isRequired: Bool = false
  ) -> Member {
    Member(name, "an object", .map(of: element), about, isRequired: isRequired) { $0.dictionary }
  }
}

extension Member<JSONElements> {
  static func array(_ name: StaticString, of element: Schema, _ about: String, isRequired: Bool = false) -> Member {
    Member(name, "an array", .list(of: element), about, isRequired: isRequired) { $0.isArray ? $0.elements : nil }
  }
}

extension Member<NodeID> {
  static func node(_ name: StaticString, _ about: String, isRequired: Bool = false) -> Member {
    Member(name, "a node's id, such as \"n7\"", .shared(.nodeID), about, isRequired: isRequired) { $0.string.flatMap { NodeID($0) } }
  }
}

extension Member where Read: RawRepresentable & CaseIterable & SendableMetatype, Read.RawValue == String {
  /// A member whose value is one of the words of the enum `Read`.
  static func choice(_ name: StaticString, _ about: String, isRequired: Bool = false) -> Member {
    let words = Read.allCases.map(\.rawValue)
    return Member(name, "one of \(words.joined(separator: ", "))", .words(words), about, isRequired: isRequired) {
      $0.string.flatMap(Read.init)
    }
  }
}
