/// The header fields of a response in order, stored as the lines that are sent. Names compare without case (RFC 9110, 5.1), and a name may
/// occur more than once. Each field is checked when it is added. A field with an empty value is omitted.
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// Each field as `name: value` CR LF, except the fields that frame the message.
  package private(set) var lines: [UInt8] = []
  /// Whether the connection closes after the response (`Connection: close`).
  private(set) var isLast = false
  /// The name of the first illegal field: its name is not a token, or its value contains a control character. It is `nil` if all fields are
  /// legal.
  private(set) var illegalName: String?
  /// Whether a field `Cache-Control` with a value was added. The functions that add fields without checks do not change this property.
  package private(set) var hasCacheControl = false
  /// Whether a field `Access-Control-Allow-Origin` with a value was added. The functions that add fields without checks do not change this
  /// property.
  package private(set) var hasAllowedOrigin = false

  /// Creates an empty list.
  package init() {}

  /// Creates a list of these fields in this order. A name may occur more than once.
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// Reserves capacity for `count` more bytes of lines.
  package mutating func reserve(_ count: Int) { lines.reserveCapacity(lines.count + count) }

  /// Appends a field, even if a field of the same name exists.
  package mutating func add(_ name: String, _ value: String) {
    var (name, value) = (name, value)
    name.withUTF8 { name in
      value.withUTF8 { value in add(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value)) }
    }
  }

  /// Appends a field given as bytes. Fields of the same name are not replaced.
  package mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    if !addLegal(name, value), illegalName == nil { illegalName = String(decoding: name, as: UTF8.self) }
  }

  /// Appends the fields of another list.
  package mutating func add(_ other: Headers) {
    lines += other.lines
    isLast = isLast || other.isLast
    illegalName = illegalName ?? other.illegalName
    hasCacheControl = hasCacheControl || other.hasCacheControl
    hasAllowedOrigin = hasAllowedOrigin || other.hasAllowedOrigin
  }

  /// Appends a field without checks. The value must not contain control characters, and the field must not frame the message.
  package mutating func add(_ name: StaticString, legal value: UnsafeRawBufferPointer) {
    append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value)
  }

  /// Appends a field with a text value without checks.
  package mutating func add(_ name: StaticString, legal value: String) {
    var value = value
    value.withUTF8 { add(name, legal: UnsafeRawBufferPointer($0)) }
  }

  /// Appends complete lines without checks. The lines must be legal and must not frame the message.
  package mutating func add(lines: StaticString) {
    self.lines.append(contentsOf: UnsafeBufferPointer(start: lines.utf8Start, count: lines.utf8CodeUnitCount))
  }

  /// Appends a field, unless the server itself sets this field or the value is empty. Returns `false` if the field is invalid.
  private mutating func addLegal(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
    guard name.isToken, value.isFieldValue else { return false }
    switch name.count {
    case 4 where name.isEqualIgnoringCase(to: "Date"), 14 where name.isEqualIgnoringCase(to: "Content-Length"),
      17 where name.isEqualIgnoringCase(to: "Transfer-Encoding"):
      return true
    case 10 where name.isEqualIgnoringCase(to: "Connection"):
      isLast = isLast || value.count == 5 && value.isEqualIgnoringCase(to: "close")
      return true
    case 13 where name.isEqualIgnoringCase(to: "Cache-Control"): hasCacheControl = hasCacheControl || !value.isEmpty
    case 27 where name.isEqualIgnoringCase(to: "Access-Control-Allow-Origin"): hasAllowedOrigin = hasAllowedOrigin || !value.isEmpty
    default: break
    }
    if !value.isEmpty { append(name, value) }
    return true
  }

  /// Appends one line; the array grows at most once.
  private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    lines.append(addingCapacity: name.count + value.count + 4) { span in
      span.withUnsafeMutableBufferPointer { room, count in
        // Each copy fits into the capacity that was requested above.
        let bytes = UnsafeMutableRawBufferPointer(room)
        bytes.copyMemory(from: name)
        count += name.count
        bytes[count] = UInt8(ascii: ":")
        bytes[count + 1] = UInt8(ascii: " ")
        count += 2
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: value)
        count += value.count
        bytes[count] = UInt8(ascii: "\r")
        bytes[count + 1] = UInt8(ascii: "\n")
        count += 2
      }
    }
  }
}
