/// The grammar of header fields in requests (RFC 9110, 5.1 and 5.5).
package enum HeaderText {
  /// Whether a text is a valid field name, which is a token.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether a text contains only visible ASCII characters and blanks. A line break would start another header field.
  package static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

  /// The headers that a definition cannot set, because they belong to the connection or the load sets them itself.
  package static let reserved: Set<String> = [
    "accept", "connection", "content-length", "content-type", "cookie", "expect", "host", "idempotency-key", "keep-alive",
    "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
  ]
}
