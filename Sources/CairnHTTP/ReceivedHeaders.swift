/// A request's header fields in the order of arrival. Names are compared without case (RFC 9110, 5.1) and may repeat. Fields are stored as bytes and
/// converted on access. Spaces and tabs around a value are removed (RFC 9110, 5.5), and bytes that are not UTF-8 become U+FFFD.
package struct ReceivedHeaders: Sendable {
  /// A field as text. Bytes of the value that are not UTF-8 become U+FFFD.
  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String

    /// Creates a field without checking it.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private let head: RequestHead
  private var text: HeadText { head.text }

  /// The fields of a head.
  package init(_ head: RequestHead) { self.head = head }

  /// All fields in order.
  package var fields: [Field] {
    text.fields.map { Field(name: Self.text(text[$0.name]), value: Self.text(value($0))) }
  }

  /// The first value of `name`; `nil` if there is none.
  package subscript(name: StaticString) -> String? { bytes(name).map(Self.text) }

  /// All values of `name`, in order.
  package func all(_ name: StaticString) -> [String] {
    var values: [String] = []
    var next = text.field(name)
    while let index = next {
      values.append(Self.text(value(text.fields[index])))
      next = text.field(name, from: index + 1)
    }
    return values
  }

  /// The bytes of the first value of `name`; `nil` if there is none.
  package func bytes(_ name: StaticString) -> ArraySlice<UInt8>? { text.field(name).map { value(text.fields[$0]) } }

  /// Passes the bytes of the only value of `name` to `body`. Returns `nil` if there is none, or more than one.
  package func withOnly<Result>(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let index = text.field(name), text.field(name, from: index + 1) == nil else { return nil }
    return text.with(text.fields[index].value) { body($0.trimmed) }
  }

  /// Whether there is a field with this name.
  package func has(_ name: StaticString) -> Bool { text.field(name) != nil }

  /// The number of fields with this name.
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
  /// The bytes without spaces and tabs at the ends.
  fileprivate var trimmed: UnsafeRawBufferPointer {
    var range = indices
    while !range.isEmpty, self[range.lowerBound].isBlank { range = range.dropFirst() }
    while !range.isEmpty, self[range.upperBound - 1].isBlank { range = range.dropLast() }
    return UnsafeRawBufferPointer(rebasing: self[range])
  }
}
