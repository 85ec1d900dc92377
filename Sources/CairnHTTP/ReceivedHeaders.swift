/// A request's header fields in the order they came; names compare without case (RFC 9110 5.1), a name may repeat.
/// They are bytes until they are asked for. Blanks and tabs around a value are no part of it (RFC 9110 5.5); what is not UTF-8
/// becomes U+FFFD in text.
package struct ReceivedHeaders: Sendable {
  private let head: RequestHead

  init(_ head: RequestHead) { self.head = head }

  /// Every field, in order.
  package var fields: [Headers.Field] {
    head.fields.map { Headers.Field(name: String(decoding: head[$0.name], as: UTF8.self), value: Self.text(value($0))) }
  }

  /// The first value of `name`, or nil.
  package subscript(name: String) -> String? { bytes(name).map(Self.text) }

  /// Every value of `name`, in order.
  package func all(_ name: String) -> [String] {
    head.fields.lazy.filter { head[$0.name].isEqualIgnoringCase(to: name.utf8) }.map { Self.text(value($0)) }
  }

  /// The bytes of the first value of `name`, or nil.
  package func bytes(_ name: String) -> ArraySlice<UInt8>? {
    for field in head.fields where has(field, name) { return value(field) }
    return nil
  }

  /// How many fields have that name.
  package func count(_ name: String) -> Int { head.fields.count { has($0, name) } }

  private func has(_ field: RequestHead.Field, _ name: String) -> Bool {
    Int(field.name.count) == name.utf8.count && head[field.name].isEqualIgnoringCase(to: name.utf8)
  }

  private func value(_ field: RequestHead.Field) -> ArraySlice<UInt8> {
    var value = head[field.value]
    while value.first?.isBlank ?? false { value.removeFirst() }
    while value.last?.isBlank ?? false { value.removeLast() }
    return value
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
