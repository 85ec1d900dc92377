/// The memory of a connection that a parsed head uses. libmicrohttpd closes the connection without a response if too little is left for the
/// response's head.
enum HeadRoom {
  /// The size of the library's record of a field, a query parameter or a cookie.
  private static let note = 64
  /// The size of a response's head, with the library's rounding.
  private static let answer = 1024

  /// The maximum number of bytes that the head needs.
  static func need(of head: HeadText) -> Int {
    var notes = head.fields.count
    // The lines of the head: names and values of the fields, with their separators.
    var size = head.bytes.count + 4 * head.fields.count + 16
    notes += head.with(head.target) { count($0, of: "&") + 1 }
    var next = head.field("Cookie")
    while let index = next {
      // The library parses cookies in a copy.
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
