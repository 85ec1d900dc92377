/// The request target as libmicrohttpd shows it once, before it cuts and decodes it in place.
struct ShownTarget {
  /// Its bytes; of one that is too long the beginning.
  let bytes: [UInt8]
  /// Where it stood in the connection's memory.
  let span: Range<UInt>
  let isTooLong: Bool

  init(_ target: UnsafePointer<CChar>, limit: Int) {
    let count = CStrings.length(target)
    span = CStrings.span(target, count)
    isTooLong = count > limit
    bytes = Array(UnsafeRawBufferPointer(start: target, count: min(count, limit)))
  }
}
