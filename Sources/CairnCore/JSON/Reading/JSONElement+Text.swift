// Reads the text of an element.
extension JSONElement {
  /// The element of the same document at an index of its tokens.
  func at(_ index: Int) -> JSONElement { JSONElement(text: text, tokens: tokens, index: index) }

  /// The bytes of a string without its quotes, or of a number; empty for other values.
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text + Int(token.start), count: Int(token.length))
  }

  /// Whether the element is this string, which must be ASCII.
  @inline(__always)
  package func isString(_ other: StaticString) -> Bool {
    let token = token
    guard token.kind == .string else { return false }
    guard token.isPlain else { return unescaped == other.description }
    let length = Int(token.length)
    guard length == other.utf8CodeUnitCount else { return false }
    return Self.areSame(UnsafeRawPointer(text + Int(token.start)), UnsafeRawPointer(other.utf8Start), length)
  }

  /// Whether `length` bytes are equal. Most names are short, so the first and the last word are compared; they may overlap.
  @inline(__always)
  static func areSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ length: Int) -> Bool {
    switch length {
    case 17...:
      for place in 0..<length where one.load(fromByteOffset: place, as: UInt8.self) != other.load(fromByteOffset: place, as: UInt8.self) {
        return false
      }
      return true
    case 8...: return areSame(UInt64.self, one, other, length)
    case 4...: return areSame(UInt32.self, one, other, length)
    case 2...: return areSame(UInt16.self, one, other, length)
    default: return length == 0 || one.load(as: UInt8.self) == other.load(as: UInt8.self)
    }
  }

  @inline(__always)
  private static func areSame<Word: FixedWidthInteger & BitwiseCopyable>(
    _ word: Word.Type, _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ length: Int
  ) -> Bool {
    let last = length - MemoryLayout<Word>.size
    let first = one.loadUnaligned(as: word) ^ other.loadUnaligned(as: word)
    return first | (one.loadUnaligned(fromByteOffset: last, as: word) ^ other.loadUnaligned(fromByteOffset: last, as: word)) == 0
  }

  /// The text of a string token, with its escapes decoded.
  var decoded: String {
    guard token.isPlain else { return unescaped }
    let bytes = bytes
    // Swift stores a string of at most 15 bytes inline, and this initializer is faster for such a string.
    guard bytes.count <= 15 else { return String(decoding: bytes, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: bytes.count) { $0.update(fromContentsOf: bytes) }
  }

  private var unescaped: String {
    let bytes = bytes
    var text = ""
    var index = 0
    while let backslash = bytes[index...].firstIndex(of: UInt8(ascii: "\\")) {
      text += String(decoding: bytes[index..<backslash], as: UTF8.self)
      index = backslash + 1
      // The parser has validated every escape.
      if let scalar = try? JSONEscape.scalar(in: bytes, at: &index) { text.unicodeScalars.append(scalar) }
    }
    return text + String(decoding: bytes[index...], as: UTF8.self)
  }

  /// The value of a number with at most 18 characters and without a fraction or an exponent; `nil` for other values.
  var plainInteger: WideInt? {
    let token = token
    guard token.kind == .number, token.isPlain else { return nil }
    let bytes = bytes
    let isNegative = bytes[0] == UInt8(ascii: "-")
    var magnitude: WideInt = 0
    for byte in bytes.dropFirst(isNegative ? 1 : 0) { magnitude = magnitude * 10 + WideInt(byte - UInt8(ascii: "0")) }
    return isNegative ? -magnitude : magnitude
  }

  /// The value of a number. A whole number is an integer in any notation. In a stored text, it is an integer only if it is written without a fraction
  /// and exponent.
  func number(isStored: Bool) -> Value {
    if let whole = plainInteger { return .integer(whole) }
    let text = String(decoding: bytes, as: UTF8.self)
    if let whole = WideInt(text) { return .integer(whole) }
    // The parser has validated the number.
    let number = Double(text) ?? 0
    return isStored ? .number(number) : .reading(number)
  }
}
