/// The grammar of a request's headers (RFC 9110, 5.1 and 5.5).
package enum HeaderText {
  /// Whether the text is a valid name of a field: a token (RFC 9110, 5.6.2).
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether the text is allowed as the value of a field: visible ASCII characters and spaces. A line break would start another field.
  package static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

  /// The header fields that a definition may not set: the fields of the connection, and the fields that a load sets itself.
  package static let reserved: Set<String> = [
    "accept", "connection", "content-length", "content-type", "cookie", "expect", "host", "idempotency-key", "keep-alive",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]
}
