package import CairnCore

/// A body of a response whose members are listed once: the list writes the JSON and makes the schema.
///
/// A session, the response to an action and a refusal are written by hand, because they are on the hot path.
package protocol DescribedBody: JSONWritable, SchemaProviding {
  /// Visits each member, in the order in which they are written. `body`: the values; `nil`: only the schema is wanted.
  static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable)
  /// A sentence for people, or empty.
  static var about: String { get }
  /// Required members that the schema names first, in this order; the others follow as they are written. The order means nothing in JSON
  /// Schema: it keeps published documents as they are.
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
  package static var schema: Schema { Letter.self == LinkLetter.self ? .shared(.linkID) : .shared(.nodeID) }
}

extension Timestamp: SchemaProviding {
  package static var schema: Schema { .shared(.time) }
}

extension Array: SchemaProviding where Element: SchemaProviding {
  package static var schema: Schema { .list(of: Element.schema) }
}

extension Array {
  /// Itself, or `nil` if it is empty.
  var unlessEmpty: Self? { isEmpty ? nil : self }
}
