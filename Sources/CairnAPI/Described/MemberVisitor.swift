package import CairnCore

/// Visits the members of a body. `JSONWriter` writes the values that are given; `ObjectDescription` collects names and schemas.
package protocol MemberVisitor: ~Copyable {
  /// A member with the schema of its value; `value` is `nil` where the member is missing, and wherever a body is described without a value.
  mutating func visit<Member: JSONWritable>(
    _ name: StaticString, _ value: Member?, isRequired: Bool, _ about: String, _ schema: @autoclosure () -> Schema)
}

extension MemberVisitor where Self: ~Copyable {
  /// A member that every response has. `about`: a sentence for people, or empty.
  @inline(__always)
  mutating func always<Member: SchemaProviding>(_ name: StaticString, _ value: Member?, _ about: String = "") {
    visit(name, value, isRequired: true, about, Member.schema)
  }

  /// A member that every response has, with a narrower schema than that of its type.
  @inline(__always)
  mutating func always(_ name: StaticString, _ value: (some JSONWritable)?, _ about: String = "", as schema: @autoclosure () -> Schema) {
    visit(name, value, isRequired: true, about, schema())
  }

  /// A member that is left out when it has no value.
  @inline(__always)
  mutating func maybe<Member: SchemaProviding>(_ name: StaticString, _ value: Member?, _ about: String = "") {
    visit(name, value, isRequired: false, about, Member.schema)
  }

  /// A member that is left out when it has no value, with a narrower schema than that of its type.
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
    // Unwrapped here: `member(_:ifPresent:)` is generic, and twice as slow where it is not specialized.
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
