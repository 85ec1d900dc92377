import CMicroHTTPD

/// A request target as the request line had it, copied before libmicrohttpd cuts and decodes it.
struct RawTarget {
  let bytes: [UInt8]
  let isTooLong: Bool
  /// Where it stood in the connection's memory.
  let span: Range<UInt>

  init(_ target: UnsafePointer<CChar>, limit: Int) {
    let count = CStrings.length(target)
    span = CStrings.span(target, count)
    isTooLong = count > limit
    bytes = UnsafeRawBufferPointer(start: target, count: min(count, limit)).map { $0 }
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
    let (headers, isWhole) = headers(after: raw)
    let limits = peer.core.limits
    var target: Target?
    let result = Result { () throws(Fault) in
      guard !raw.isTooLong else { throw .uriTooLong(limit: limits.target) }
      guard method.isToken else { throw .badRequest(reason: "the method is not a token") }
      // Untrimmed, as the library reads them: it does not know `chunked` with a blank behind it.
      let framing = try Framing(headers: headers, version: String(cString: version), bodyLimit: limits.body)
      guard isWhole else { throw .badRequest(reason: "the head holds a NUL, a folded line or a blank too many") }
      target = try Target(raw.bytes, method: method)
      return framing
    }
    let request = Request(
      method: method, target: String(decoding: raw.bytes, as: UTF8.self), rawPath: target?.rawPath, path: target?.path ?? [],
      query: target?.query ?? [], headers: headers.trimmed(), remoteAddress: peer.address, id: id)
    return (request, result)
  }

  private struct Reading {
    var headers = Headers()
    var layout: Layout
  }

  private func headers(after target: RawTarget) -> (Headers, isWhole: Bool) {
    let start = CStrings.span(method, CStrings.length(method))
    let end = CStrings.span(version, CStrings.length(version))
    var reading = Reading(layout: Layout(method: start, target: target.span, version: end))
    withUnsafeMutablePointer(to: &reading) {
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          // The context is the pointer to `reading` passed below, alive for the whole call.
          guard let reading = context?.assumingMemoryBound(to: Reading.self) else { return .NO }
          reading.pointee.headers.add(CStrings.text(name, nameSize), CStrings.text(value, valueSize))
          reading.pointee.layout.add(name: CStrings.span(name, nameSize), value: CStrings.span(value, valueSize))
          return .YES
        }, $0)
    }
    let size = UInt(cairn_mhd_head_size(connection))
    return (reading.headers, !Layout.isNeeded || reading.layout.isWhole(endingAt: start.lowerBound &+ size))
  }
}
