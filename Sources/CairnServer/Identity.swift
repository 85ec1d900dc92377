import CairnRuntime
import Crypto

/// Ids and secrets, made by the system's generator; a secret is kept as its hash alone.
package enum Identity {
  /// A session's id: `s` and 23 characters, 136 bits.
  package static func sessionID() -> String { "s" + random(bytes: 17) }

  /// Whether a text could be a session's id.
  static func isSessionID(_ text: String) -> Bool {
    text.utf8.count == 24 && text.utf8.first == UInt8(ascii: "s") && text.utf8.allSatisfy(isOfID)
  }

  /// base64url (RFC 4648, 5).
  private static func isOfID(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
  }

  /// A session's secret: `cs_` and 43 characters, 256 bits.
  package static func secret() -> String { "cs_" + random(bytes: 32) }

  /// Whether a text could be a session's secret.
  static func isSecret(_ bytes: ArraySlice<UInt8>) -> Bool { bytes.count == 46 && bytes.starts(with: "cs_".utf8) }

  /// A fresh word for a stamp: 22 characters, 128 bits.
  package static func nonce() -> String { random(bytes: 16) }

  /// SHA-256. A secret of 256 random bits needs no slower hash.
  package static func hash(_ secret: String) -> [UInt8] { hash(Array(secret.utf8)[...]) }

  /// The same of a secret's bytes.
  static func hash(_ secret: ArraySlice<UInt8>) -> [UInt8] {
    secret.withUnsafeBytes { bytes in
      var hash = SHA256()
      hash.update(bufferPointer: bytes)
      return Array(hash.finalize())
    }
  }

  /// In a time that does not tell where two hashes differ.
  static func areEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    guard first.count == second.count else { return false }
    return zip(first, second).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static let fresh = Lock(RandomBytes())

  /// base64url without padding (RFC 4648, 5).
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
