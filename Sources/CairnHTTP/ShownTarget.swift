/// The request target as libmicrohttpd passes it once, before it cuts and decodes it in place.
struct ShownTarget {
  /// The bytes of the target. If it is too long, only its beginning.
  private(set) var bytes: [UInt8] = []
  /// The addresses of the target in the connection's memory.
  private(set) var span: Range<UInt> = 0..<0
  private(set) var isTooLong = false

  /// The number of bytes of memory that are kept for the next target.
  private static let kept = 256

  init(_ target: UnsafePointer<CChar>, limit: Int) { read(target, limit: limit) }

  /// Copies another target. Reuses the memory if it is small.
  mutating func read(_ target: UnsafePointer<CChar>, limit: Int) {
    let count = CStrings.length(target)
    span = CStrings.span(target, count)
    isTooLong = count > limit
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.kept)
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: target, count: min(count, limit)))
  }
}
