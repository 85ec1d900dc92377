/// A request's header fields in the order they came; names compare without case (RFC 9110 5.1), a name may repeat.
/// They are bytes until they are asked for. Blanks and tabs around a value are no part of it (RFC 9110 5.5); what is not UTF-8
/// becomes U+FFFD in text.
package struct ReceivedHeaders: Sendable {
  /// One field. Bytes of the value that are not UTF-8 are read as U+FFFD.
  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String

    /// A field as it is; nothing is checked here.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private let head: RequestHead
  private var text: HeadText { head.text }

  /// The fields of a head.
  package init(_ head: RequestHead) { self.head = head }

  /// Every field, in order.
  package var fields: [Field] {
    text.fields.map { Field(name: Self.text(text[$0.name]), value: Self.text(value($0))) }
  }

  /// The first value of `name`, or nil.
  package subscript(name: StaticString) -> String? { bytes(name).map(Self.text) }

  /// Every value of `name`, in order.
  package func all(_ name: StaticString) -> [String] {
    var values: [String] = []
    var next = text.field(name)
    while let index = next {
      values.append(Self.text(value(text.fields[index])))
      next = text.field(name, from: index + 1)
    }
    return values
  }

  /// The bytes of the first value of `name`, or nil.
  package func bytes(_ name: StaticString) -> ArraySlice<UInt8>? { text.field(name).map { value(text.fields[$0]) } }

  /// The bytes of the only value of `name`, lent; nil: there is none, or more than one.
  package func withOnly<Result>(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let index = text.field(name), text.field(name, from: index + 1) == nil else { return nil }
    return text.with(text.fields[index].value) { body($0.trimmed) }
  }

  /// Whether there is a field of that name.
  package func has(_ name: StaticString) -> Bool { text.field(name) != nil }

  /// How many fields have that name.
  package func count(_ name: StaticString) -> Int {
    var count = 0
    var next = text.field(name)
    while let index = next {
      count += 1
      next = text.field(name, from: index + 1)
    }
    return count
  }

  private func value(_ field: HeadText.Field) -> ArraySlice<UInt8> {
    var value = text[field.value]
    while value.first?.isBlank ?? false { value.removeFirst() }
    while value.last?.isBlank ?? false { value.removeLast() }
    return value
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension UnsafeRawBufferPointer {
  /// Without blanks and tabs at its ends.
  fileprivate var trimmed: UnsafeRawBufferPointer {
    var range = indices
    while !range.isEmpty, self[range.lowerBound].isBlank { range = range.dropFirst() }
    while !range.isEmpty, self[range.upperBound - 1].isBlank { range = range.dropLast() }
    return UnsafeRawBufferPointer(rebasing: self[range])
  }
}
