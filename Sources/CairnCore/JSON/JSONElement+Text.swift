// What stands in the text.
extension JSONElement {
  /// Another value of the same document.
  func at(_ index: Int) -> JSONElement { JSONElement(text: text, tokens: tokens, index: index) }

  /// A string's bytes between the quotes, or a number's; of anything else none.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text + Int(token.start), count: Int(token.length))
  }

  /// Whether it is this string; `other` is ASCII.
  func isString(_ other: StaticString) -> Bool {
    let token = token
    guard token.kind == .string else { return false }
    guard token.isPlain else { return unescaped == other.description }
    let start = text + Int(token.start)
    guard token.length == other.utf8CodeUnitCount else { return false }
    return (0..<Int(token.length)).allSatisfy { start[$0] == other.utf8Start[$0] }
  }

  /// Of a string token.
  var decoded: String { token.isPlain ? String(decoding: bytes, as: UTF8.self) : unescaped }

  private var unescaped: String {
    let bytes = bytes
    var text = ""
    var index = 0
    while let backslash = bytes[index...].firstIndex(of: UInt8(ascii: "\\")) {
      text += String(decoding: bytes[index..<backslash], as: UTF8.self)
      index = backslash + 1
      // The reader has been over every escape.
      if let scalar = try? JSONEscape.scalar(in: bytes, at: &index) { text.unicodeScalars.append(scalar) }
    }
    return text + String(decoding: bytes[index...], as: UTF8.self)
  }

  /// Of a number token without fraction, exponent or many digits.
  var plainInteger: WideInt? {
    let token = token
    guard token.kind == .number, token.isPlain else { return nil }
    let bytes = bytes
    let isNegative = bytes[0] == UInt8(ascii: "-")
    var magnitude: WideInt = 0
    for byte in bytes.dropFirst(isNegative ? 1 : 0) { magnitude = magnitude * 10 + WideInt(byte - UInt8(ascii: "0")) }
    return isNegative ? -magnitude : magnitude
  }

  /// Of a number token: an integer whatever way it is written, if it is one.
  var number: Value {
    if let whole = plainInteger { return .integer(whole) }
    let text = String(decoding: bytes, as: UTF8.self)
    if let whole = WideInt(text) { return .integer(whole) }
    // The reader has made sure of it.
    return .reading(Double(text) ?? 0)
  }
}
