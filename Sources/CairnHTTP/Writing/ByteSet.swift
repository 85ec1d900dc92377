import Glibc

/// A set of ASCII characters that is tested byte by byte.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Creates a set of the ASCII letters, the digits and the given characters. Characters outside ASCII are ignored.
  private init(_ characters: String) {
    for byte in characters.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }
  }

  /// Whether the set contains the byte. Letters and digits are tested first because most texts consist of them.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || (byte < 64 ? low : high) &>> UInt64(byte) & 1 == 1 && byte < 128
  }

  /// The characters of a token (RFC 9110, 5.6.2).
  static let token = ByteSet("!#$%&'*+-.^_`|~")
  /// The characters of a host with its port (RFC 3986, 3.2.2 and 3.2.3).
  static let host = ByteSet("-._~!$&'()*+,;=:%[]")
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are a token (RFC 9110, 5.6.2): at least one character, and no blank, control character or delimiter.
  var isToken: Bool { !isEmpty && isMade(of: .token) }

  /// Whether every byte is in the set.
  func isMade(of set: ByteSet) -> Bool {
    for index in 0..<count where !set.contains(self[index]) { return false }
    return true
  }

  /// Whether the bytes are a field value without obsolete forms (RFC 9110, 5.5): the only control character allowed is the tab.
  var isFieldValue: Bool {
    // The loop does not exit early, so that the compiler can vectorize it.
    var illegal: UInt8 = 0
    for byte in self { illegal |= (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
    return illegal == 0
  }

  /// Whether the bytes equal the bytes of another buffer of the same size.
  func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard let start = baseAddress, let others = other.baseAddress else { return true }
    return memcmp(start, others, count) == 0
  }

  /// Whether the bytes equal the text.
  package func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount, let start = baseAddress else { return count == text.utf8CodeUnitCount }
    return memcmp(start, text.utf8Start, count) == 0
  }

  /// Whether a comma-separated list contains the token, ignoring ASCII case (RFC 9110, 5.6.1).
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

  /// Whether the bytes equal the text, ignoring the case of ASCII letters as HTTP does for tokens.
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
  /// Whether two bytes are equal, ignoring the case of ASCII letters.
  func equalsIgnoringCase(_ other: UInt8) -> Bool { self == other || lowercased == other.lowercased }
}
