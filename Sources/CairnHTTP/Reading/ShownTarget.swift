/// The request target as the client sent it. libmicrohttpd passes it once, before it cuts and decodes the target in place.
struct ShownTarget {
  /// The bytes of the target, truncated at the limit.
  private(set) var bytes: [UInt8] = []
  /// The target's address range in the connection's memory.
  private(set) var span: Range<UInt> = 0..<0
  private(set) var isTooLong = false

  /// The maximum capacity in bytes that is reused for the next target.
  private static let kept = 256

  init(_ target: UnsafePointer<CChar>, limit: Int) { read(target, limit: limit) }

  /// Reads the next target. Reuses the memory unless it is large.
  mutating func read(_ target: UnsafePointer<CChar>, limit: Int) {
    let count = CStrings.length(target)
    span = CStrings.span(target, count)
    isTooLong = count > limit
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.kept)
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: target, count: min(count, limit)))
  }
}
