/// Checks a head before libmicrohttpd acts on it: only heads that every parser frames in the same way are accepted (RFC 9112, 6).
///
/// libmicrohttpd 0.9.75 accepts the first of two Content-Length fields, prefers chunked to Content-Length, reads on after an unknown
/// transfer coding, and misses a field whose name ends in a blank. Each of these faults lets a client hide a second request in the first.
package struct Framing: Equatable {
  /// The body's size as the head declares it; `nil` if the request has no body or a chunked body.
  package let contentLength: Int?
  /// Whether the body is chunked, so that its size is known only at its end.
  package let isChunked: Bool

  /// Whether the client wants the connection to close after this request (RFC 9112, 9.3).
  let isLast: Bool

  /// Whether a body follows the head.
  var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

  /// The fields that frame a message, or that must occur only once.
  private struct Found {
    var hosts = 0, lengths = 0, codings = 0, types = 0
    var isHost = true
    var closes = false, keeps = false
    var length = HeadText.Piece(0, 0), coding = HeadText.Piece(0, 0)
  }

  /// Checks the fields as libmicrohttpd received them, including blanks at their ends.
  package init(_ head: HeadText, version: UnsafeRawBufferPointer, bodyLimit: Int) throws(Fault) {
    let isOld = version.isEqual(to: "HTTP/1.0")
    guard isOld || version.isEqual(to: "HTTP/1.1") else { throw .unsupportedVersion }
    let found = try head.bytes.withUnsafeBytes { bytes in
      Result { () throws(Fault) in try Self.find(head.fields, in: bytes) }
    }.get()
    guard found.isHost || found.hosts != 1 else { throw .badRequest(reason: "the Host header must be a host with an optional port") }
    guard found.hosts == 1 || found.hosts == 0 && isOld else {
      throw .badRequest(reason: found.hosts == 0 ? "the Host header is missing" : "there is more than one Host header")
    }
    guard found.types <= 1 else { throw .badRequest(reason: "there is more than one Content-Type header") }
    guard found.codings == 0 || found.lengths == 0 else {
      throw .badRequest(reason: "Content-Length and Transfer-Encoding must not be used together")
    }
    isLast = found.closes || isOld && !found.keeps
    isChunked = try Self.chunked(found, head, isOld: isOld)
    contentLength = try Self.length(found, head, limit: bodyLimit)
  }

  /// Collects the fields that frame the message or must occur only once. Throws at the first field whose name or value is invalid.
  private static func find(_ fields: [HeadText.Field], in bytes: UnsafeRawBufferPointer) throws(Fault) -> Found {
    var found = Found()
    for field in fields {
      let name = UnsafeRawBufferPointer(rebasing: bytes[field.name.range])
      let value = UnsafeRawBufferPointer(rebasing: bytes[field.value.range])
      guard name.isToken else { throw .badRequest(reason: "a header name contains an invalid character") }
      guard value.isFieldValue else {
        throw .badRequest(reason: "the value of the header \(String(decoding: name, as: UTF8.self)) contains a control character")
      }
      // The length is compared first, because most fields have other names.
      switch name.count {
      case 4 where name.isEqualIgnoringCase(to: "Host"):
        found.hosts += 1
        found.isHost = found.isHost && value.isMade(of: .host)
      case 10 where name.isEqualIgnoringCase(to: "Connection"):
        found.closes = found.closes || value.containsToken("close")
        found.keeps = found.keeps || value.containsToken("keep-alive")
      case 12 where name.isEqualIgnoringCase(to: "Content-Type"): found.types += 1
      case 14 where name.isEqualIgnoringCase(to: "Content-Length"):
        found.lengths += 1
        found.length = field.value
      case 17 where name.isEqualIgnoringCase(to: "Transfer-Encoding"):
        found.codings += 1
        found.coding = field.value
      default: break
      }
    }
    return found
  }

  private static func chunked(_ found: Found, _ head: HeadText, isOld: Bool) throws(Fault) -> Bool {
    guard found.codings > 0 else { return false }
    guard found.codings == 1 else { throw .badRequest(reason: "there is more than one Transfer-Encoding header") }
    guard !isOld else { throw .badRequest(reason: "Transfer-Encoding is not allowed in HTTP/1.0") }
    guard head.with(found.coding, { $0.isEqualIgnoringCase(to: "chunked") }) else { throw .unsupportedTransferCoding }
    return true
  }

  private static func length(_ found: Found, _ head: HeadText, limit: Int) throws(Fault) -> Int? {
    guard found.lengths > 0 else { return nil }
    guard found.lengths == 1 else { throw .badRequest(reason: "there is more than one Content-Length header") }
    let digits = head[found.length]
    guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw .badRequest(reason: "Content-Length must be a number")
    }
    guard let length = Int(String(decoding: digits, as: UTF8.self)), length <= limit else { throw .payloadTooLarge(limit: limit) }
    return length
  }
}
