import CairnCrypto
import CairnHTTP
import CairnRuntime

/// Generates ids and secrets with the system's random generator. Only the hash of a secret is stored.
package enum Identity {
  /// Returns a new session id: `s` and 23 characters, 136 random bits.
  package static func sessionID() -> String { "s" + random(bytes: 17) }

  /// Returns the session id that is derived from a keyed hash of at least 17 bytes.
  static func sessionID(of hash: some Sequence<UInt8>) -> String { "s" + Array(hash.prefix(17)).withUnsafeBufferPointer(base64URL) }

  /// Whether `text` has the form of a session's id.
  static func isSessionID(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count == 24, text[0] == UInt8(ascii: "s") else { return false }
    for byte in text where !isOfID(byte) { return false }
    return true
  }

  /// Whether `text` has the form of a session's id.
  static func isSessionID(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { isSessionID($0) } }

  /// Whether a byte belongs to the alphabet of base64url (RFC 4648, 5).
  private static func isOfID(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  /// Returns a new session secret: `cs_` and 43 characters, 256 random bits.
  package static func secret() -> String { "cs_" + random(bytes: 32) }

  /// Returns the session secret that is derived from a keyed hash of 32 bytes.
  static func secret(of hash: some Sequence<UInt8>) -> String { "cs_" + Array(hash.prefix(32)).withUnsafeBufferPointer(base64URL) }

  /// Whether `bytes` have the form of a session's secret.
  static func isSecret(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == 46 && UnsafeRawBufferPointer(rebasing: bytes[..<3]).isEqual(to: "cs_")
  }

  /// Returns a new ticket for a stream: `t` and 43 characters, 256 random bits.
  static func ticket() -> String { "t" + random(bytes: 32) }

  /// Returns a new name for a session's file: `f` and 22 characters, 128 random bits.
  static func fileID() -> String { "f" + random(bytes: 16) }

  /// Returns a new random word of 22 characters, 128 random bits.
  package static func nonce() -> String { random(bytes: 16) }

  /// Returns the SHA-256 of a secret. A slower hash is not necessary, because a secret with 256 random bits cannot be guessed.
  package static func hash(_ secret: String) -> [UInt8] { Array(SHA256.hash(secret)) }

  private static let fresh = Lock(RandomBytes())

  /// Random bytes in base64url without padding (RFC 4648, 5).
  private static func random(bytes count: Int) -> String {
    fresh.withLock { fresh in fresh.take(count, base64URL) }
  }

  private static func base64URL(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let length = (bytes.count * 4 + 2) / 3
    return String(unsafeUninitializedCapacity: length) { text in
      letters.withUTF8Buffer { letters in
        var (rest, bits, place) = (0, 0, 0)
        for byte in bytes {
          rest = rest << 8 | Int(byte)
          bits += 8
          while bits >= 6 {
            bits -= 6
            text[place] = letters[rest >> bits & 63]
            place += 1
          }
          rest &= (1 << bits) - 1
        }
        if bits > 0 { text[place] = letters[rest << (6 - bits) & 63] }
      }
      return length
    }
  }

  private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
}
