import CMicroHTTPD

/// What the access callback was given; valid during that call alone.
struct AccessCall {
  let connection: OpaquePointer
  let method: UnsafePointer<CChar>
  let version: UnsafePointer<CChar>
  /// The next piece of the body; empty for the head, and for the body's end.
  let upload: UnsafeRawBufferPointer

  /// Reads everything but the body into `head`, as far as it can be read. Gives the framing, or throws what is wrong with it.
  func read(into head: RequestHead, of peer: Peer) throws(Fault) -> Framing {
    let context = peer.loop.context
    head.id = peer.requestPrefix + String(head.number)
    head.remoteAddress = peer.address
    head.setMethod(CStrings.bytes(method, CStrings.length(method)))
    let isWhole = readFields(into: head)
    guard !head.isTargetTooLong else { throw .uriTooLong(limit: context.limits.target) }
    guard head.method.isToken else { throw .badRequest(reason: "the method is not a token") }
    // Untrimmed, as the library reads them: it does not know `chunked` with a blank behind it.
    let framing = try Framing(head, version: CStrings.bytes(version, CStrings.length(version)), bodyLimit: context.limits.body)
    guard isWhole else { throw .badRequest(reason: "the head holds a NUL, a folded line or a blank too many") }
    try head.readTarget()
    return framing
  }

  private struct Reading {
    let head: RequestHead
    var layout: Layout
  }

  private func readFields(into head: RequestHead) -> Bool {
    let start = CStrings.span(method, CStrings.length(method))
    let end = CStrings.span(version, CStrings.length(version))
    var reading = Reading(head: head, layout: Layout(method: start, target: head.targetSpan, version: end))
    withUnsafeMutablePointer(to: &reading) {
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          // The context is the pointer to `reading` passed below, alive for the whole call.
          guard let reading = context?.assumingMemoryBound(to: Reading.self) else { return .NO }
          reading.pointee.head.addField(name: CStrings.bytes(name, nameSize), value: CStrings.bytes(value, valueSize))
          reading.pointee.layout.add(name: CStrings.span(name, nameSize), value: CStrings.span(value, valueSize))
          return .YES
        }, $0)
    }
    let size = UInt(cairn_mhd_head_size(connection))
    return !Layout.isNeeded || reading.layout.isWhole(endingAt: start.lowerBound &+ size)
  }
}
