import CMicroHTTPD

/// A request target as the request line had it, copied before libmicrohttpd cuts and decodes it.
struct RawTarget {
  let bytes: [UInt8]
  let isTooLong: Bool
  /// Where it stood in the connection's memory.
  let start: UInt

  init(_ target: UnsafePointer<CChar>, limit: Int) {
    let count = CStrings.length(target)
    start = UInt(bitPattern: target)
    isTooLong = count > limit
    bytes = UnsafeRawBufferPointer(start: target, count: min(count, limit)).map { $0 }
  }

  /// True when bytes that the C string does not show lie between target and version: a NUL cut it.
  func isCut(before version: UnsafePointer<CChar>) -> Bool {
    !isTooLong && UInt(bitPattern: version) != start + UInt(bytes.count) + 1
  }
}

/// What the access callback was given; valid during that call alone.
struct RawHead {
  let connection: OpaquePointer
  let method: UnsafePointer<CChar>
  let version: UnsafePointer<CChar>

  /// The request without its body, as far as it can be read, and its framing or what is wrong with it.
  func read(_ raw: RawTarget, peer: Peer, id: String) -> (Request, Result<Framing, Fault>) {
    let method = String(cString: method)
    let headers = headers()
    let limits = peer.core.limits
    var target: Target?
    let result = Result { () throws(Fault) in
      guard !raw.isTooLong else { throw .uriTooLong(limit: limits.target) }
      guard method.isToken else { throw .badRequest(reason: "the method is not a token") }
      // Untrimmed, as the library reads them: it does not know `chunked` with a blank behind it.
      let framing = try Framing(headers: headers, version: String(cString: version), bodyLimit: limits.body)
      guard !raw.isCut(before: version) else {
        throw .badRequest(reason: "the request target holds a byte outside printable ASCII; escape it as %XX")
      }
      target = try Target(raw.bytes, method: method)
      return framing
    }
    let request = Request(
      method: method, target: String(decoding: raw.bytes, as: UTF8.self), rawPath: target?.rawPath, path: target?.path ?? [],
      query: target?.query ?? [], headers: headers.trimmed(), remoteAddress: peer.address, id: id)
    return (request, result)
  }

  private func headers() -> Headers {
    var headers = Headers()
    withUnsafeMutablePointer(to: &headers) {
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          // The context is the pointer to `headers` passed below, alive for the whole call.
          guard let headers = context?.assumingMemoryBound(to: Headers.self) else { return .NO }
          headers.pointee.add(CStrings.text(name, nameSize), CStrings.text(value, valueSize))
          return .YES
        }, $0)
    }
    return headers
  }
}

/// C strings read.
enum CStrings {
  /// `count` bytes as text; what is not UTF-8 becomes U+FFFD. No pointer: empty.
  static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
    String(decoding: UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count), as: UTF8.self)
  }

  /// Bytes before the NUL.
  static func length(_ string: UnsafePointer<CChar>) -> Int {
    var end = string
    while end.pointee != 0 { end += 1 }
    return end - string
  }
}
