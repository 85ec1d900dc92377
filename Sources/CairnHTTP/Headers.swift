/// Header fields of a response in order, as the lines that are sent; names compare without case (RFC 9110 5.1), a name may repeat. A field is
/// checked when it is added. A field without a value is left out.
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// `name: value` and CR LF for each field, except those that frame the message.
  package private(set) var lines: [UInt8] = []
  /// The connection is to close after the response (`Connection: close`).
  private(set) var isLast = false
  /// The name of the first field that would break the message: its name is not a token, or its value has a control character.
  private(set) var illegalName: String?
  /// Whether there is a field `Cache-Control`.
  package private(set) var hasCacheControl = false

  /// No fields.
  package init() {}

  /// These fields, in this order; a name may repeat.
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// Makes room for so many bytes of lines more.
  package mutating func reserve(_ count: Int) { lines.reserveCapacity(lines.count + count) }

  /// Adds a field after the others; fields of the same name stay.
  package mutating func add(_ name: String, _ value: String) {
    var (name, value) = (name, value)
    name.withUTF8 { name in
      value.withUTF8 { value in add(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer(value)) }
    }
  }

  /// Adds a field of these bytes after the others; fields of the same name stay.
  package mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
    if !addLegal(name, value), illegalName == nil { illegalName = String(decoding: name, as: UTF8.self) }
  }

  /// Adds the fields of another list after these.
  package mutating func add(_ other: Headers) {
    lines += other.lines
    isLast = isLast || other.isLast
    illegalName = illegalName ?? other.illegalName
    hasCacheControl = hasCacheControl || other.hasCacheControl
  }

  /// Adds a field after the others. Neither its name nor its value is checked: the value has no control character, and the field does not
  /// frame the message.
  package mutating func add(_ name: StaticString, legal value: UnsafeRawBufferPointer) {
    append(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), value)
  }

  /// The same for a text.
  package mutating func add(_ name: StaticString, legal value: String) {
    var value = value
    value.withUTF8 { add(name, legal: UnsafeRawBufferPointer($0)) }
  }

  /// Adds fields that are lines already: legal ones that do not frame the message. `hasCacheControl` does not see them.
  package mutating func add(lines: StaticString) {
    self.lines.append(contentsOf: UnsafeBufferPointer(start: lines.utf8Start, count: lines.utf8CodeUnitCount))
  }

  /// false: the field would break the message.
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

  /// Adds a line. The array makes room once.
  private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    lines.append(addingCapacity: name.count + value.count + 4) { span in
      span.withUnsafeMutableBufferPointer { room, count in
        // Each piece is within the capacity asked for.
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
