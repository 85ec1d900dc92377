/// A request's header fields in the order in which they arrived. Names compare without case (RFC 9110, 5.1), and a name may occur more than
/// once. Values exclude surrounding blanks and tabs (RFC 9110, 5.5). Fields are stored as bytes; bytes that are not UTF-8 become U+FFFD
/// when a field is read as text.
package struct ReceivedHeaders: Sendable {
  /// One field as text. Bytes that are not UTF-8 appear as U+FFFD.
  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String

    /// Creates a field without checking its name and value.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  private let head: RequestHead
  private var text: HeadText { head.text }

  /// Creates the header fields of a head.
  package init(_ head: RequestHead) { self.head = head }

  /// All fields in order.
  package var fields: [Field] {
    text.fields.map { Field(name: Self.text(text[$0.name]), value: Self.text(value($0))) }
  }

  /// The first value of `name`; `nil` if there is no such field.
  package subscript(name: StaticString) -> String? { bytes(name).map(Self.text) }

  /// All values of `name` in order.
  package func all(_ name: StaticString) -> [String] {
    var values: [String] = []
    var next = text.field(name)
    while let index = next {
      values.append(Self.text(value(text.fields[index])))
      next = text.field(name, from: index + 1)
    }
    return values
  }

  /// Returns the bytes of the first value of `name`; `nil` if there is no such field.
  package func bytes(_ name: StaticString) -> ArraySlice<UInt8>? { text.field(name).map { value(text.fields[$0]) } }

  /// Calls `body` with the bytes of the only value of `name`, which are valid only during the call. Returns `nil` if the field is missing
  /// or occurs more than once.
  package func withOnly<Result>(_ name: StaticString, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let index = text.field(name), text.field(name, from: index + 1) == nil else { return nil }
    return text.with(text.fields[index].value) { body($0.trimmed) }
  }

  /// Whether a field of that name exists.
  package func has(_ name: StaticString) -> Bool { text.field(name) != nil }

  /// Returns the number of fields with this name.
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
  /// The bytes without blanks and tabs at both ends.
  fileprivate var trimmed: UnsafeRawBufferPointer {
    var range = indices
    while !range.isEmpty, self[range.lowerBound].isBlank { range = range.dropFirst() }
    while !range.isEmpty, self[range.upperBound - 1].isBlank { range = range.dropLast() }
    return UnsafeRawBufferPointer(rebasing: self[range])
  }
}
