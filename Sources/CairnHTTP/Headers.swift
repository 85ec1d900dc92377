/// Header fields in the order they came; names compare without case (RFC 9110 5.1), a name may repeat.
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// One field. Bytes of the value that are not UTF-8 came as U+FFFD.
  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String

    /// A field as it is; nothing is checked here.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Every field, in order.
  package private(set) var fields: [Field]

  /// These fields, in this order.
  package init(_ fields: [Field] = []) { self.fields = fields }

  /// These fields, in this order; a name may stand twice.
  package init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }

  /// Makes room for so many more.
  package mutating func reserve(_ count: Int) { fields.reserveCapacity(fields.count + count) }

  /// The first value of `name`, or nil.
  package subscript(name: String) -> String? {
    fields.first { $0.name.isEqualIgnoringCase(to: name) }?.value
  }

  /// Every value of `name`, in order.
  package func all(_ name: String) -> [String] {
    fields.filter { $0.name.isEqualIgnoringCase(to: name) }.map(\.value)
  }

  /// Adds a field after the others; what is there under the same name stays.
  package mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Puts `value` in place of every field of that name, at the end.
  package mutating func set(_ name: String, _ value: String) {
    fields.removeAll { $0.name.isEqualIgnoringCase(to: name) }
    add(name, value)
  }
}

extension String {
  /// Equality without case for ASCII letters alone, as HTTP's tokens want it.
  func isEqualIgnoringCase(to other: String) -> Bool {
    utf8.count == other.utf8.count && zip(utf8, other.utf8).allSatisfy { $0.equalsIgnoringCase($1) }
  }
}
