/// The header fields of a response in order, as the lines that are sent. Names are compared without case (RFC 9110, 5.1) and may repeat. Fields are
/// checked when they are added. Fields without a value are omitted.
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// `name: value` and CR LF for each field, without the fields that frame the message.
  package private(set) var lines: [UInt8] = []
  /// Whether the connection closes after the response (`Connection: close`).
  private(set) var isLast = false
  /// The name of the first field that would break the message, because its name is not a token or its value contains a control character.
  private(set) var illegalName: String?
  /// Whether there is a field `Cache-Control`.
  package private(set) var hasCacheControl = false

  /// Creates an empty list.
  package init() {}

  /// Creates a list with these fields in this order.
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// Reserves memory for `count` more bytes.
  package mutating func reserve(_ count: Int) { lines.reserveCapacity(lines.count + count) }

  /// Appends a field. Other fields of the same name remain.
  package mutating func add(_ name: String, _ value: String) {
    var (name, value) = (name, value)
    name.withUTF8 { name in
      value.withUTF8 { value in add(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value)) }
    }
  }

  /// Appends a field with these bytes. Other fields of the same name remain.
  package mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    if !addLegal(name, value), illegalName == nil { illegalName = String(decoding: name, as: UTF8.self) }
  }

  /// Appends the fields of another list.
  package mutating func add(_ other: Headers) {
    lines += other.lines
    isLast = isLast || other.isLast
    illegalName = illegalName ?? other.illegalName
    hasCacheControl = hasCacheControl || other.hasCacheControl
  }

  /// Appends a field without checking it. The value must contain no control character, and the field must not frame the message.
  package mutating func add(_ name: StaticString, legal value: UnsafeRawBufferPointer) {
    append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value)
  }

  /// Appends a field with a text that needs no check.
  package mutating func add(_ name: StaticString, legal value: String) {
    var value = value
    value.withUTF8 { add(name, legal: UnsafeRawBufferPointer($0)) }
  }

  /// Appends complete lines without checking them. They must not frame the message, and are not considered by `hasCacheControl`.
  package mutating func add(lines: StaticString) {
    self.lines.append(contentsOf: UnsafeBufferPointer(start: lines.utf8Start, count: lines.utf8CodeUnitCount))
  }

  /// Returns `false` if the field would break the message.
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
    default: break
    }
    if !value.isEmpty { append(name, value) }
    return true
  }

  /// Appends a line. The array grows once.
  private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    lines.append(addingCapacity: name.count + value.count + 4) { span in
      span.withUnsafeMutableBufferPointer { room, count in
        // Each part fits into the requested capacity.
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
