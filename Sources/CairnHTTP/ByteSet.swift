import Glibc

/// A set of ASCII characters, asked by byte.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// Letters, digits and these characters; others than ASCII are left out.
  private init(_ characters: String) {
    for byte in characters.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }
  }

  /// Whether it is one of them. Letters and digits, of which most texts are made, are in each set.
  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || (byte < 64 ? low : high) &>> UInt64(byte) & 1 == 1 && byte < 128
  }

  /// RFC 9110 5.6.2: what a token is made of.
  static let token = ByteSet("!#$%&'*+-.^_`|~")
  /// RFC 3986 3.2.2 and 3.2.3: what a host with its port is made of.
  static let host = ByteSet("-._~!$&'()*+,;=:%[]")
}

extension UnsafeRawBufferPointer {
  /// RFC 9110 5.6.2: at least one character, and no blank, control or delimiter.
  var isToken: Bool { !isEmpty && isMade(of: .token) }

  /// Whether every byte is in the set.
  func isMade(of set: ByteSet) -> Bool {
    for index in 0..<count where !set.contains(self[index]) { return false }
    return true
  }

  /// RFC 9110 5.5 without its obsolete forms: no control characters but the tab.
  var isFieldValue: Bool {
    // All of it is looked at, without a way out: so it is done many bytes at a time.
    var illegal: UInt8 = 0
    for byte in self { illegal |= (byte < 0x20 ? 1 : 0) & (byte != 0x09 ? 1 : 0) | (byte == 0x7F ? 1 : 0) }
    return illegal == 0
  }

  /// Whether these are the bytes of another buffer of the same size.
  func hasBytes(of other: UnsafeRawBufferPointer) -> Bool {
    guard let start = baseAddress, let others = other.baseAddress else { return true }
    return memcmp(start, others, count) == 0
  }

  /// Whether these are the bytes of `text`.
  package func isEqual(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount, let start = baseAddress else { return count == text.utf8CodeUnitCount }
    return memcmp(start, text.utf8Start, count) == 0
  }

  /// Whether a list holds that token (RFC 9110 5.6.1), without case.
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

  /// Equality without case for ASCII letters only, as for HTTP's tokens.
  package func isEqualIgnoringCase(to text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where !self[index].equalsIgnoringCase(text.utf8Start[index]) { return false }
    return true
  }
}

extension UInt8 {
  /// A letter or a digit of ASCII.
  var isLetterOrDigit: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10 }

  /// A blank or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  private var lowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
  /// Equality without case for ASCII letters only.
  func equalsIgnoringCase(_ other: UInt8) -> Bool { self == other || lowercased == other.lowercased }
}
