package import CairnCore

/// A response body that lists its members once. The list is used to write the JSON and to generate the schema.
///
/// `SessionBody` and `ActionBody` have their own writing code instead, because they are on the hot path.
package protocol DescribedBody: JSONWritable, SchemaProviding {
  /// Visits each member in the order of writing. `body` is `nil` if only the schema is needed.
  static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable)
  /// The description in the schema, or an empty string.
  static var about: String { get }
  /// The names of required members that the schema lists first, in this order. The other members follow in the order of writing. The order
  /// has no meaning in JSON Schema, but it keeps published documents stable.
  static var firstRequired: [String] { get }
}

extension DescribedBody {
  package static var about: String { "" }
  package static var firstRequired: [String] { [] }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    Self.members(of: self, &writer)
    writer.endObject()
  }

  package static var schema: Schema {
    var description = ObjectDescription()
    members(of: nil, &description)
    let first = firstRequired.compactMap { name in description.properties.first { $0.name == name } }
    let schema = Schema.object(first + description.properties.filter { !firstRequired.contains($0.name) })
    return about.isEmpty ? schema : schema.about(about)
  }
}

/// A type whose values in a response have one schema.
package protocol SchemaProviding: JSONWritable {
  static var schema: Schema { get }
}

extension String: SchemaProviding {
  package static var schema: Schema { .text }
}

extension Bool: SchemaProviding {
  package static var schema: Schema { .flag }
}

extension Identifier: SchemaProviding {
  package static var schema: Schema { .shared(Letter.component) }
}

extension IdentifierLetter {
  fileprivate static var component: Component {
    switch letter.description {
    case LinkLetter.letter.description: .linkID
    case QuestionLetter.letter.description: .questionID
    case HeldLetter.letter.description: .heldID
    default: .nodeID
    }
  }
}

extension Timestamp: SchemaProviding {
  package static var schema: Schema { .shared(.time) }
}

extension Array: SchemaProviding where Element: SchemaProviding {
  package static var schema: Schema { .list(of: Element.schema) }
}

extension Array {
  /// The array, or `nil` if it is empty.
  var unlessEmpty: Self? { isEmpty ? nil : self }
}
