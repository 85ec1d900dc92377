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

  /// The fields that frame a message, or that must not be there twice.
  private struct Found {
    var hosts = 0, lengths = 0, codings = 0, types = 0
    var length: ArraySlice<UInt8> = [], coding: ArraySlice<UInt8> = []
  }

  /// Checks the fields as libmicrohttpd saw them, blanks at their ends included.
  init(_ head: RequestHead, version: UnsafeRawBufferPointer, bodyLimit: Int) throws(Fault) {
    let isOld = version.elementsEqual("HTTP/1.0".utf8)
    guard isOld || version.elementsEqual("HTTP/1.1".utf8) else { throw .unsupportedVersion }
    if let fault = Self.firstIllegal(head) { throw fault }
    let found = try Self.find(head)
    guard found.hosts == 1 || found.hosts == 0 && isOld else {
      throw .badRequest(reason: found.hosts == 0 ? "the Host header is missing" : "there is more than one Host header")
    }
    guard found.types <= 1 else { throw .badRequest(reason: "there is more than one Content-Type header") }
    guard found.codings == 0 || found.lengths == 0 else {
      throw .badRequest(reason: "Content-Length and Transfer-Encoding exclude each other")
    }
    isChunked = try Self.chunked(found, isOld: isOld)
    contentLength = try Self.length(found, limit: bodyLimit)
  }

  /// What is wrong with the first field whose name or value no reader should take.
  private static func firstIllegal(_ head: RequestHead) -> Fault? {
    head.bytes.withUnsafeBytes { bytes in
      for field in head.fields {
        let name = UnsafeRawBufferPointer(rebasing: bytes[field.name.range])
        guard name.isToken else { return .badRequest(reason: "a header's name is not a token") }
        guard UnsafeRawBufferPointer(rebasing: bytes[field.value.range]).isFieldValue else {
          return .badRequest(reason: "the value of the header \(String(decoding: name, as: UTF8.self)) holds a control character")
        }
      }
      return nil
    }
  }

  private static func find(_ head: RequestHead) throws(Fault) -> Found {
    var found = Found()
    var isHost = true
    let hostBytes = ByteSet.host
    for field in head.fields {
      let (name, value) = (head[field.name], head[field.value])
      // By length first: most fields are none of these.
      switch name.count {
      case 4 where name.isEqualIgnoringCase(to: "Host".utf8):
        found.hosts += 1
        isHost = isHost && value.allSatisfy { hostBytes.contains($0) }
      case 12 where name.isEqualIgnoringCase(to: "Content-Type".utf8): found.types += 1
      case 14 where name.isEqualIgnoringCase(to: "Content-Length".utf8):
        found.lengths += 1
        found.length = value
      case 17 where name.isEqualIgnoringCase(to: "Transfer-Encoding".utf8):
        found.codings += 1
        found.coding = value
      default: break
      }
    }
    guard isHost || found.hosts != 1 else { throw .badRequest(reason: "the Host header is not a host") }
    return found
  }

  private static func chunked(_ found: Found, isOld: Bool) throws(Fault) -> Bool {
    guard found.codings > 0 else { return false }
    guard found.codings == 1 else { throw .badRequest(reason: "there is more than one Transfer-Encoding header") }
    guard !isOld else { throw .badRequest(reason: "HTTP/1.0 has no Transfer-Encoding") }
    guard found.coding.isEqualIgnoringCase(to: "chunked".utf8) else { throw .unsupportedTransferCoding }
    return true
  }

  private static func length(_ found: Found, limit: Int) throws(Fault) -> Int? {
    guard found.lengths > 0 else { return nil }
    guard found.lengths == 1 else { throw .badRequest(reason: "there is more than one Content-Length header") }
    guard !found.length.isEmpty, found.length.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      throw .badRequest(reason: "Content-Length is not a number")
    }
    guard let length = Int(String(decoding: found.length, as: UTF8.self)), length <= limit else { throw .payloadTooLarge(limit: limit) }
    return length
  }
}
