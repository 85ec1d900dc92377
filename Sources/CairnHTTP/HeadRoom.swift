/// The memory of a connection that a head takes once it is read. libmicrohttpd closes without a response if none is left for the response's
/// head.
enum HeadRoom {
  /// The library's note of a field, a pair of the query or a cookie.
  private static let note = 64
  /// The head of an answer, and what the library rounds up.
  private static let answer = 1024

  /// Bytes, at most.
  static func need(of head: HeadText) -> Int {
    var notes = head.fields.count
    // The lines of the head: field names and values, with what is between them.
    var size = head.bytes.count + 4 * head.fields.count + 16
    notes += head.with(head.target) { count($0, of: "&") + 1 }
    var next = head.field("Cookie")
    while let index = next {
      // Cookies are taken apart in a copy.
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
