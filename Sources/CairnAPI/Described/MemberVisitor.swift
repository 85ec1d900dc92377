package import CairnCore

/// Visits the members of a body. `JSONWriter` writes the values; `ObjectDescription` collects names and schemas.
package protocol MemberVisitor: ~Copyable {
  /// Visits a member with the schema of its value. `value` is `nil` if the member is missing, or if only the schema is needed.
  mutating func visit<Member: JSONWritable>(
    _ name: StaticString, _ value: Member?, isRequired: Bool, _ about: String, _ schema: @autoclosure () -> Schema)
}

extension MemberVisitor where Self: ~Copyable {
  /// Visits a member that every response has. `about` is the description in the schema, or empty.
  @inline(__always)
  mutating func always<Member: SchemaProviding>(_ name: StaticString, _ value: Member?, _ about: String = "") {
    visit(name, value, isRequired: true, about, Member.schema)
  }

  /// Visits a member that every response has. `schema` replaces the schema of the member's type.
  @inline(__always)
  mutating func always(_ name: StaticString, _ value: (some JSONWritable)?, _ about: String = "", as schema: @autoclosure () -> Schema) {
    visit(name, value, isRequired: true, about, schema())
  }

  /// Visits a member that is omitted if it has no value.
  @inline(__always)
  mutating func maybe<Member: SchemaProviding>(_ name: StaticString, _ value: Member?, _ about: String = "") {
    visit(name, value, isRequired: false, about, Member.schema)
  }

  /// Visits a member that is omitted if it has no value. `schema` replaces the schema of the member's type.
  @inline(__always)
  mutating func maybe(_ name: StaticString, _ value: (some JSONWritable)?, _ about: String = "", as schema: @autoclosure () -> Schema) {
    visit(name, value, isRequired: false, about, schema())
  }
}

extension JSONWriter: MemberVisitor {
  @inline(__always)
  package mutating func visit<Member: JSONWritable>(
    _ name: StaticString, _ value: Member?, isRequired: Bool, _ about: String, _ schema: @autoclosure () -> Schema
  ) {
    // The value is unwrapped here because the generic `member(_:ifPresent:)` takes twice as long if it is not specialized.
    if let value { member(name, value) }
  }
}

/// Collects the members of a body for its schema.
struct ObjectDescription: MemberVisitor {
  private(set) var properties: [Property] = []

  mutating func visit<Member: JSONWritable>(
    _ name: StaticString, _ value: Member?, isRequired: Bool, _ about: String, _ schema: @autoclosure () -> Schema
  ) {
    properties.append(isRequired ? Property(name.description, schema(), about) : .maybe(name.description, schema(), about))
  }
}
