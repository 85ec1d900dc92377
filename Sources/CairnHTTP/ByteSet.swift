/// A set of ASCII characters, asked by byte.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// These characters; others than ASCII are left out.
  init(_ characters: String) {
    for byte in characters.utf8 {
      if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }
  }

  /// Whether it is one of them.
  func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
  }

  private static let alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
  /// RFC 9110 5.6.2: what a token is made of.
  static let token = ByteSet(alphanumerics + "!#$%&'*+-.^_`|~")
  /// RFC 3986 3.2.2 and 3.2.3: what a host with its port is made of.
  static let host = ByteSet(alphanumerics + "-._~!$&'()*+,;=:%[]")
}

extension Collection<UInt8> {
  /// RFC 9110 5.6.2: at least one character, and no blank, control or delimiter.
  var isToken: Bool {
    let token = ByteSet.token
    return !isEmpty && allSatisfy { token.contains($0) }
  }

  /// RFC 9110 5.5 without its obsolete forms: no control characters but the tab.
  var isFieldValue: Bool { allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }

  /// Equality without case for ASCII letters alone, as HTTP's tokens want it.
  func isEqualIgnoringCase(to other: some Collection<UInt8>) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0 == $1 || $0.equalsIgnoringCase($1) }
  }
}

extension UInt8 {
  /// A blank or a tab.
  var isBlank: Bool { self == 0x20 || self == 0x09 }

  private var lowercased: UInt8 { self &- 65 < 26 ? self | 0x20 : self }
  fileprivate func equalsIgnoringCase(_ other: UInt8) -> Bool { lowercased == other.lowercased }
}
