import CMicroHTTPD

/// The arguments of libmicrohttpd's access callback. The pointers are valid only during that call.
struct AccessCall {
  let connection: OpaquePointer
  let method: UnsafePointer<CChar>
  let version: UnsafePointer<CChar>
  /// The next piece of the body. Empty in the call for the head and in the call for the end of the body.
  let upload: UnsafeRawBufferPointer

  /// Reads the request's head. `target` is the target that the library passed earlier. Returns the head with its framing. If the head is
  /// malformed, returns the parts that could be read, with the fault.
  func read(_ target: ShownTarget, number: Int, of peer: Peer) -> (head: RequestHead, framing: Result<Framing, Fault>) {
    var (text, isWhole) = copy(behind: target)
    do throws(Fault) {
      let framing = try check(text, isWhole, target, of: peer)
      let decoded = try RequestTarget(&text)
      return (RequestHead(text, decoded, id: peer.requestID(number), remoteAddress: peer.address), .success(framing))
    } catch {
      return (RequestHead(text, RequestTarget(), id: peer.requestID(number), remoteAddress: peer.address), .failure(error))
    }
  }

  /// Returns the framing of the message. Throws if the head is malformed or too long. `RequestTarget` parses the target later.
  private func check(_ text: HeadText, _ isWhole: Bool, _ target: ShownTarget, of peer: Peer) throws(Fault) -> Framing {
    let context = peer.loop.context
    guard !target.isTooLong else { throw .uriTooLong(limit: context.limits.target) }
    guard text.with(text.method, \.isToken) else { throw .badRequest(reason: "the method contains an invalid character") }
    // The version and the fields are not trimmed, because the library reads them in this form: it does not recognize `chunked` followed by
    // a blank.
    let framing = try Framing(
      text, version: CStrings.bytes(version, CStrings.length(version)), bodyLimit: max(context.limits.body, context.limits.longBody))
    guard isWhole else { throw .badRequest(reason: "the head contains a NUL, a folded line or an extra space") }
    // If two parsers disagree about the end of a head, one of them reads a part of the head as another request (request smuggling).
    guard peer.wire.hasHead, !Layout.isNeeded || peer.wire.head == Int(cairn_mhd_head_size(connection)) else {
      throw peer.wire.fault ?? .badRequest(reason: "it is ambiguous where the head of the request ends")
    }
    guard HeadRoom.need(of: text) <= context.limits.memoryPerConnection else {
      throw .headTooLarge(limit: context.limits.memoryPerConnection)
    }
    return framing
  }

  /// Copies the head from the library's memory. `isWhole` is false if the copy lacks bytes of the received head.
  private func copy(behind target: ShownTarget) -> (text: HeadText, isWhole: Bool) {
    let head = Int(cairn_mhd_head_size(connection))
    let methodCount = CStrings.length(method)
    let start = CStrings.span(method, methodCount)
    let layout = Layout(method: start, target: target.span, version: CStrings.span(version, CStrings.length(version)))
    let count = Int(MHD_get_connection_values_n(connection, .HEADER_KIND, nil, nil))
    var isWhole = false
    var methodPiece = HeadText.Piece(0, 0)
    var bytes: [UInt8] = []
    var fields: [HeadText.Field] = []
    // The method and the fields are parts of the head, so `head` bytes suffice. All parts are copied to the stack first, then to arrays of
    // their exact size.
    let room = target.bytes.count + max(head, methodCount)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: room) { room in
      withUnsafeTemporaryAllocation(of: HeadText.Field.self, capacity: max(count, 1)) { places in
        var copy = HeadCopy(room, places, layout)
        target.bytes.withUnsafeBytes { _ = copy.add($0) }
        methodPiece = copy.add(CStrings.bytes(method, methodCount))
        withUnsafeMutablePointer(to: &copy) {
          _ = MHD_get_connection_values_n(
            connection, .HEADER_KIND,
            { context, _, name, nameSize, value, valueSize in
              // The context is the pointer to `copy` passed below, alive for the whole call.
              guard let copy = context?.assumingMemoryBound(to: HeadCopy.self) else { return .NO }
              return copy.pointee.addField(CStrings.bytes(name, nameSize), CStrings.bytes(value, valueSize)) ? .YES : .NO
            }, $0)
        }
        isWhole = copy.hasRoom && (!Layout.isNeeded || copy.layout.isWhole(endingAt: start.lowerBound &+ UInt(head)))
        bytes = Array(UnsafeBufferPointer(rebasing: room[..<copy.size]))
        fields = Array(UnsafeBufferPointer(rebasing: places[..<copy.count]))
      }
    }
    let text = HeadText(bytes: bytes, fields: fields, method: methodPiece, target: .init(0, target.bytes.count))
    return (text, isWhole)
  }
}
