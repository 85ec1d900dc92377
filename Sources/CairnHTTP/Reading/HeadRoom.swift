/// Estimates how much of a connection's memory a parsed head needs. libmicrohttpd closes the connection without a response if no memory is
/// left for the head of the response.
enum HeadRoom {
  /// The memory of the library's record of a field, query item or cookie, in bytes.
  private static let note = 64
  /// The memory for the head of the response and for rounding, in bytes.
  private static let answer = 1024

  /// Returns an upper bound of the memory that a head needs, in bytes.
  static func need(of head: HeadText) -> Int {
    var notes = head.fields.count
    // The lines of the head: field names and values, and the separators between them.
    var size = head.bytes.count + 4 * head.fields.count + 16
    notes += head.with(head.target) { count($0, of: "&") + 1 }
    var next = head.field("Cookie")
    while let index = next {
      // The library parses cookies in a copy of the field.
      size += Int(head.fields[index].value.count)
      notes += head.with(head.fields[index].value) { count($0, of: ";") + 1 }
      next = head.field("Cookie", from: index + 1)
    }
    return size + note * notes + answer
  }

  private static func count(_ bytes: UnsafeRawBufferPointer, of separator: Unicode.Scalar) -> Int {
    var (count, rest) = (0, bytes)
    while let place = rest.firstOffset(of: UInt8(ascii: separator)) {
      count += 1
      rest = UnsafeRawBufferPointer(rebasing: rest[(place + 1)...])
    }
    return count
  }
}
