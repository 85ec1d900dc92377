/// Header fields of a response in order, as the lines that are sent; names compare without case (RFC 9110 5.1), a name may repeat. A field is
/// checked when it is added. A field without a value is left out.
package struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  /// `name: value` and CR LF for each field, except those that frame the message.
  package private(set) var lines: [UInt8] = []
  /// The connection is to close after the response (`Connection: close`).
  private(set) var isLast = false
  /// The name of the first field that would break the message: its name is not a token, or its value has a control character.
  private(set) var illegalName: String?

  /// No fields.
  package init() {}

  /// These fields, in this order; a name may repeat.
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// Makes room for so many bytes of lines more.
  package mutating func reserve(_ count: Int) { lines.reserveCapacity(lines.count + count) }

  /// Whether there is a field of that name.
  package func has(_ name: StaticString) -> Bool {
    lines.withUnsafeBytes { bytes in
      var start = 0
      while let line = Self.line(at: start, in: bytes) {
        if UnsafeRawBufferPointer(rebasing: bytes[line.name]).isEqualIgnoringCase(to: name) { return true }
        start = line.value.upperBound + 2
      }
      return false
    }
  }

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
  }

  /// Adds fields that are lines already: legal ones that do not frame the message.
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
    default: break
    }
    guard !value.isEmpty else { return true }
    lines.append(contentsOf: name)
    lines.append(UInt8(ascii: ":"))
    lines.append(UInt8(ascii: " "))
    lines.append(contentsOf: value)
    lines.append(UInt8(ascii: "\r"))
    lines.append(UInt8(ascii: "\n"))
    return true
  }

  /// The field whose line begins at `start`; nil: none does.
  private static func line(at start: Int, in bytes: UnsafeRawBufferPointer) -> (name: Range<Int>, value: Range<Int>)? {
    // A name is a token and a value has no control character, so that the first colon ends the one and the first CR the other.
    guard start < bytes.count, let colon = bytes[start...].firstIndex(of: UInt8(ascii: ":")),
      let end = bytes[colon...].firstIndex(of: UInt8(ascii: "\r"))
    else { return nil }
    return (start..<colon, colon + 2..<end)
  }
}
