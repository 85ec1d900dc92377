import CairnHTTP

/// The bytes of a connection. The result must not depend on how they are divided, and an accepted head must have only one framing.
enum FuzzWire {
  private static let bodyLimit = 4_096

  /// The result after all bytes have been processed.
  private struct Verdict: Equatable {
    var fault: Fault?
    var isWithin: Bool
    var hasHead: Bool
    var hasBody: Bool
    var broken: [String]
  }

  static func following(_ bytes: [UInt8]) -> [String] {
    guard let first = bytes.first else { return [] }
    let rest = Array(bytes.dropFirst())
    let whole = follow(rest, by: max(1, rest.count))
    return whole == follow(rest, by: 1 + Int(first % 16)) ? whole.broken : ["in pieces the bytes are taken for something else"]
  }

  /// Processes the first message and the bytes after it, up to the next complete head.
  private static func follow(_ bytes: [UInt8], by size: Int) -> Verdict {
    var wire = Wire()
    var broken: [String] = []
    var hasBegun = false
    for start in stride(from: 0, to: bytes.count, by: size) {
      _ = bytes[start..<min(bytes.count, start + size)].withUnsafeBytes { wire.take($0) }
      guard wire.hasHead else { continue }
      guard !hasBegun, let framing = framing(of: bytes, &broken) else { break }
      hasBegun = true
      wire.begin(framing, bodyLimit: bodyLimit)
      if wire.hasHead { break }
    }
    return Verdict(fault: wire.fault, isWithin: wire.isWithin, hasHead: wire.hasHead, hasBody: wire.hasBody, broken: broken)
  }

  /// The framing of the first head, if it is accepted.
  private static func framing(of bytes: [UInt8], _ broken: inout [String]) -> Framing? {
    guard case (var head, let version)? = FuzzHead.read(bytes) else { return nil }
    guard let framing = version.withUnsafeBytes({ frame(head, $0) }) else { return nil }
    if framing.isChunked && framing.contentLength != nil { broken.append("a body has two lengths") }
    if let length = framing.contentLength, !(0...bodyLimit).contains(length) { broken.append("a body is longer than it may be") }
    if let target = try? RequestTarget(&head) {
      let request = Request(head: RequestHead(head, target, id: "", remoteAddress: ""))
      let texts = request.path + request.query.map(\.name) + request.query.map { $0.value.filter { !"\t\n\r\r\n".contains($0) } }
      if texts.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }) { broken.append("a target holds a control character") }
      if request.path.contains(where: { [".", ".."].contains($0) }) { broken.append("a path leads upwards") }
    }
    return framing
  }

  private static func frame(_ head: HeadText, _ version: UnsafeRawBufferPointer) -> Framing? {
    try? Framing(head, version: version, bodyLimit: bodyLimit)
  }
}
