/// Converts escapes of characters beyond U+FFFF from JSON to YAML. JSON writes such a character as two escapes (RFC 8259, 7), and YAML as a single
/// escape with eight digits.
enum SurrogatePairs {
  /// Replaces every pair of escapes in a text that begins with a brace, as JSON definitions do. Other YAML texts are returned unchanged.
  static func joined(in text: String) -> String {
    guard text.utf8.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{"), text.contains("\\u") else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == UInt8(ascii: "\\") else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if let high = unit(in: bytes, at: index), 0xD800..<0xDC00 ~= high, let low = unit(in: bytes, at: index + 6), 0xDC00..<0xE000 ~= low {
        let digits = String(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), radix: 16)
        result += Array("\\U\(String(repeating: "0", count: 8 - digits.count))\(digits)".utf8)
        index += 12
      } else {
        // Copies the escaped character too, so that `\\u` is not treated as an escape.
        result += bytes[index..<min(index + 2, bytes.count)]
        index += 2
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The code unit of a `\uXXXX` escape at `index`; `nil` if no such escape begins there.
  private static func unit(in bytes: [UInt8], at index: Int) -> Int? {
    guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u") else { return nil }
    return Int(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
  }
}
