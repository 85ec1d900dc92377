import Glibc

/// A set of ASCII characters with a test by byte.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// A set of letters, digits and these characters. Non-ASCII characters are ignored.
  private init(_ characters: String) {
    for byte in characters.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }
  }

  /// Whether the byte is in the set. Letters and digits, of which most texts consist, are in every set.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || (byte < 64 ? low : high) &>> UInt64(byte) & 1 == 1 && byte < 128
  }

  /// The characters of a token (RFC 9110, 5.6.2).
  static let token = ByteSet("!#$%&'*+-.^_`|~")
  /// The characters of a host with a port (RFC 3986, 3.2.2 and 3.2.3).
  static let host = ByteSet("-._~!$&'()*+,;=:%[]")
}

extension UnsafeRawBufferPointer {
  /// Whether the text is a token (RFC 9110, 5.6.2): at least one character, and no spaces, control characters or delimiters.
  var isToken: Bool { !isEmpty && isMade(of: .token) }

  /// Whether every byte is in the set.
  func isMade(of set: ByteSet) -> Bool {
    for index in 0..<count where !set.contains(self[index]) { return false }
    return true
  }

  /// Whether the text is a field value (RFC 9110, 5.5) without obsolete forms: no control characters except the tab.
  var isFieldValue: Bool {
    // The loop has no early exit, so that many bytes are tested at a time.
    var illegal: UInt8 = 0
    for byte in self { illegal |= (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
    return illegal == 0
  }

  /// Whether another buffer of the same size has the same bytes.
  func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard let start = baseAddress, let others = other.baseAddress else { return true }
    return memcmp(start, others, count) == 0
  }

  /// Whether the bytes are those of `text`.
  package func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount, let start = baseAddress else { return count == text.utf8CodeUnitCount }
    return memcmp(start, text.utf8Start, count) == 0
  }

  /// Whether a list contains a token (RFC 9110, 5.6.1), ignoring case.
  func containsToken(_ token: StaticString) -> Bool {
    var rest = self[...]
    while !rest.isEmpty {
      var part = rest.prefix { $0 != UInt8(ascii: ",") }
      rest = rest[part.endIndex...].dropFirst()
      while part.first?.isBlank ?? false { part.removeFirst() }
      while part.last?.isBlank ?? false { part.removeLast() }
      if UnsafeRawBufferPointer(rebasing: part).isEqualIgnoringCase(to: token) { return true }
    }
    return false
  }

  /// Equality that ignores the case of ASCII letters, as for HTTP's tokens.
  package func isEqualIgnoringCase(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where !self[index].equalsIgnoringCase(text.utf8Start[index]) { return false }
    return true
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit.
  var isLetterOrDigit: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10 }

  /// Whether the byte is a space or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  private var lowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
  /// Equality that ignores the case of ASCII letters.
  func equalsIgnoringCase(_ other: UInt8) -> Bool { self == other || lowercased == other.lowercased }
}
