/// The characters that must be escaped in a JSON string (RFC 8259, 7).
package enum JSONEscape {
  /// Whether any byte must be escaped: a control character, a quote or a backslash.
  @inline(__always)
  static func isNeeded(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress.map({ UnsafeRawPointer($0) }) else { return false }
    let count = bytes.count
    guard count >= 8 else { return marks(in: short(start, count)) != 0 }
    // Checks eight bytes at a time. The last eight bytes may overlap the previous ones.
    var index = 0
    while index + 8 < count {
      if marks(in: start.loadUnaligned(fromByteOffset: index, as: UInt64.self)) != 0 { return true }
      index += 8
    }
    return marks(in: start.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)) != 0
  }

  /// The index of the first byte from `start` on that must be escaped; `nil` if there is none.
  @inline(__always)
  static func first(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let words = bytes.baseAddress.map({ UnsafeRawPointer($0) }) else { return nil }
    let end = bytes.count
    var index = start
    while index + 8 <= end {
      let marks = marks(in: UInt64(littleEndian: words.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < end {
      let byte = bytes[index]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return index }
      index += 1
    }
    return nil
  }

  /// Returns fewer than eight bytes in one word, padded with bytes that need no escape.
  @inline(__always)
  private static func short(_ start: UnsafeRawPointer, _ count: Int) -> UInt64 {
    if count >= 4 {
      let last = start.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(start.loadUnaligned(as: UInt32.self)) | UInt64(last) << 32
    }
    var word = ones &* 0x30
    for index in 0..<count { word = word << 8 | UInt64(start.load(fromByteOffset: index, as: UInt8.self)) }
    return word
  }

  /// Returns a word with the highest bit of the lowest byte that must be escaped. The bits above it are meaningless. Returns 0 if no byte must be
  /// escaped.
  @inline(__always)
  private static func marks(in word: UInt64) -> UInt64 {
    let control = (word &- ones &* 0x20) & ~word
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    return (control | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & (ones &* 0x80)
  }

  /// The escape of a byte. `isShort` allows the short escapes of some control characters.
  static func text(of byte: UInt8, isShort: Bool) -> String {
    switch byte {
    case 0x22: "\\\""
    case 0x5C: "\\\\"
    case 0x08 where isShort: "\\b"
    case 0x09 where isShort: "\\t"
    case 0x0A where isShort: "\\n"
    case 0x0C where isShort: "\\f"
    case 0x0D where isShort: "\\r"
    default: "\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
  }

  /// The reason why an escape is invalid.
  enum Mistake: Error {
    case end, unknown, noDigits

    var text: String {
      switch self {
      case .end: "the text ends inside a string"
      case .unknown: "invalid escape"
      case .noDigits: "expected four hexadecimal digits"
      }
    }
  }

  /// Decodes the escape whose backslash precedes `index`. Advances `index` past the escape. If it throws, `index` is after the part of the escape that was
  /// read. Half of a surrogate pair becomes U+FFFD instead of an error: RFC 8259 (8.2) allows a single half, and a sender that cuts a text inside an emoji
  /// writes one.
  static func scalar(in text: UnsafeBufferPointer<UInt8>, at index: inout Int) throws(Mistake) -> Unicode.Scalar {
    guard index < text.count else { throw .end }
    let byte = text[index]
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw .unknown
    }
    let first = try fourDigits(in: text, at: &index)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, index + 2 <= text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u") else {
      return "\u{FFFD}"
    }
    var end = index + 2
    let second = try fourDigits(in: text, at: &end)
    guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else {
      return "\u{FFFD}"
    }
    index = end
    return scalar
  }

  /// Returns the JSON text in which each escape of a surrogate without its other half is replaced by an escape of U+FFFD. For parsers that reject such
  /// surrogates. A text without them is returned unchanged.
  package static func withoutLoneSurrogates(_ json: [UInt8]) -> [UInt8] {
    guard json.contains(UInt8(ascii: "\\")) else { return json }
    var mended = json
    json.withUnsafeBufferPointer { text in
      var index = 0
      while let backslash = text[index...].firstIndex(of: UInt8(ascii: "\\")) {
        index = backslash + 1
        let scalar = try? scalar(in: text, at: &index)
        // The scalar is U+FFFD also for the escape `\ufffd` itself, which is then replaced by the same text.
        guard scalar == "\u{FFFD}", index == backslash + 6 else { continue }
        mended.replaceSubrange(backslash..<index, with: "\\ufffd".utf8)
      }
    }
    return mended
  }

  private static func fourDigits(in text: UnsafeBufferPointer<UInt8>, at index: inout Int) throws(Mistake) -> UInt32 {
    guard index + 4 <= text.count else { throw .noDigits }
    var number: UInt32 = 0
    for byte in text[index..<(index + 4)] {
      guard let digit = byte.hexDigit else { throw .noDigits }
      number = number << 4 | UInt32(digit)
    }
    index += 4
    return number
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
}
