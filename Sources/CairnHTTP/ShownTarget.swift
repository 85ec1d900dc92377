/// The request target as libmicrohttpd shows it once, before it cuts and decodes it in place.
struct ShownTarget {
  /// Its bytes; of one that is too long the beginning.
  private(set) var bytes: [UInt8] = []
  /// Where it stood in the connection's memory.
  private(set) var span: Range<UInt> = 0..<0
  private(set) var isTooLong = false

  /// How many bytes of memory are kept for the next target.
  private static let kept = 256

  init(_ target: UnsafePointer<CChar>, limit: Int) { read(target, limit: limit) }

  /// Reads another one, in the same memory if that is small.
  mutating func read(_ target: UnsafePointer<CChar>, limit: Int) {
    let count = CStrings.length(target)
    span = CStrings.span(target, count)
    isTooLong = count > limit
    bytes.removeAll(keepingCapacity: bytes.capacity <= Self.kept)
    bytes.append(contentsOf: UnsafeRawBufferPointer(start: target, count: min(count, limit)))
  }
}
