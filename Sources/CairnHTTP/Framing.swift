/// The check that stands in front of libmicrohttpd's own parsing: only a head that every reader frames alike passes (RFC 9112 6).
///
/// 0.9.75 takes the first of two Content-Lengths, lets chunked win over one, reads on after an unknown transfer coding, and does not see
/// a header whose name ends in a blank. Each of these lets a second request hide in the first.
struct Framing: Equatable {
  /// The body's size as declared; nil for none and for chunks.
  let contentLength: Int?
  /// A body comes in chunks, so its size is known only at its end.
  let isChunked: Bool

  /// True when something follows the head.
  var hasBody: Bool { isChunked || (contentLength ?? 0) > 0 }

  /// Checks the fields as libmicrohttpd saw them, blanks at their ends included.
  init(headers: Headers, version: String, bodyLimit: Int) throws(Fault) {
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .unsupportedVersion }
    for field in headers.fields { try Self.check(field) }
    try Self.check(hosts: headers.all("Host"), version: version)
    let codings = headers.all("Transfer-Encoding")
    let lengths = headers.all("Content-Length")
    guard headers.all("Content-Type").count <= 1 else { throw .badRequest(reason: "there is more than one Content-Type header") }
    guard codings.isEmpty || lengths.isEmpty else {
      throw .badRequest(reason: "Content-Length and Transfer-Encoding exclude each other")
    }
    isChunked = try Self.chunked(codings, version: version)
    contentLength = try Self.length(lengths, limit: bodyLimit)
  }

  private static func check(_ field: Headers.Field) throws(Fault) {
    guard field.name.isToken else { throw .badRequest(reason: "a header's name is not a token") }
    guard field.value.isFieldValue else {
      throw .badRequest(reason: "the value of the header \(field.name) holds a control character")
    }
  }

  private static func check(hosts: [String], version: String) throws(Fault) {
    guard hosts.count == 1 || hosts.isEmpty && version == "HTTP/1.0" else {
      throw .badRequest(reason: hosts.isEmpty ? "the Host header is missing" : "there is more than one Host header")
    }
    for host in hosts where !host.utf8.allSatisfy(\.isHostByte) {
      throw .badRequest(reason: "the Host header is not a host")
    }
  }

  private static func chunked(_ codings: [String], version: String) throws(Fault) -> Bool {
    guard let coding = codings.first else { return false }
    guard codings.count == 1 else { throw .badRequest(reason: "there is more than one Transfer-Encoding header") }
    guard version == "HTTP/1.1" else { throw .badRequest(reason: "HTTP/1.0 has no Transfer-Encoding") }
    guard coding.isEqualIgnoringCase(to: "chunked") else { throw .unsupportedTransferCoding }
    return true
  }

  private static func length(_ lengths: [String], limit: Int) throws(Fault) -> Int? {
    guard let text = lengths.first else { return nil }
    guard lengths.count == 1 else { throw .badRequest(reason: "there is more than one Content-Length header") }
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw .badRequest(reason: "Content-Length is not a number")
    }
    guard let length = Int(text), length <= limit else { throw .payloadTooLarge(limit: limit) }
    return length
  }
}

extension String {
  /// RFC 9110 5.6.2: at least one character, and no blank, control or delimiter.
  var isToken: Bool { !isEmpty && utf8.allSatisfy(\.isTokenByte) }

  /// RFC 9110 5.5 without its obsolete forms: no control characters but the tab.
  var isFieldValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
}

extension UInt8 {
  fileprivate var isAlphanumeric: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    default: false
    }
  }

  fileprivate var isTokenByte: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }

  fileprivate var isHostByte: Bool { isAlphanumeric || "-._~!$&'()*+,;=:%[]".utf8.contains(self) }
}
