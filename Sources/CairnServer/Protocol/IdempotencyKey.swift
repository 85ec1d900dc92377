import CairnAPI
package import CairnHTTP

/// A client's key for a request. A request with a key is performed only once, even if it is sent repeatedly
/// (draft-ietf-httpapi-idempotency-key-header-07). The value is a string of a structured field (RFC 9651, 3.3.3), or the same text without
/// quotes.
package struct IdempotencyKey {
  /// Visible ASCII characters and blanks. The key is never logged or returned.
  package let text: String

  /// The largest length, in characters.
  package static let limit = 255
  /// The minimum length, in characters, of a key that creates a session. 22 characters can encode 128 random bits. The key needs this
  /// number of bits, because its holder can get the session's secret.
  static let secretLength = 22

  /// Reads the key of a request; `nil` if the request has no key. Throws if the key is malformed.
  package init?(_ headers: ReceivedHeaders) throws(Rejection) {
    guard headers.has("Idempotency-Key") else { return nil }
    let values = headers.all("Idempotency-Key")
    guard values.count == 1, let value = values.first else { throw Self.fault("must be given once") }
    guard let text = value.first == "\"" ? Self.quoted(value) : Self.bare(value) else {
      throw Self.fault("must be a single string, quoted or unquoted, without parameters or further values")
    }
    guard !text.isEmpty else { throw Self.fault("must not be empty") }
    guard text.utf8.count <= Self.limit else { throw Self.fault("must have at most \(Self.limit) characters") }
    self.text = text
  }

  /// Throws if the key is so short that it could be guessed.
  func requireSecrecy() throws(Rejection) {
    guard text.utf8.count < Self.secretLength else { return }
    throw Self.fault(
      "must have at least \(Self.secretLength) characters to start a session, and be random, because it gives access to the session"
    )
  }

  private static func quoted(_ value: String) -> String? {
    var text: [UInt8] = []
    var rest = value.utf8.dropFirst()
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return rest.isEmpty ? String(decoding: text, as: UTF8.self) : nil
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(escaped) else { return nil }
        text.append(escaped)
      case 0x20...0x7E: text.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private static func bare(_ value: String) -> String? {
    value.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\",;\\".utf8.contains($0) } ? value : nil
  }

  private static func fault(_ text: String) -> Rejection { Rejection(.idempotencyKeyInvalid, "Idempotency-Key \(text)") }
}
