/// The positions of a head's parts in the connection's memory. The head is complete if the parts follow each other without a gap.
///
/// Version 0.9.75 returns C strings, so a NUL hides the bytes after it. It also appends a folded line to the field's *name*:
/// `Content-Length:`, CR LF, blank, `5` becomes a field `Content-Length5`, and the body becomes the next request. In both cases the library
/// returns fewer bytes than the head has. This can be measured, because method, target, version and fields are cut in place and in order.
struct Layout {
  private var end: UInt
  private(set) var hasGap: Bool

  /// The request line, whose parts are separated by one space.
  init(method: Range<UInt>, target: Range<UInt>, version: Range<UInt>) {
    hasGap = target.lowerBound != method.upperBound &+ 1 || version.lowerBound != target.upperBound &+ 1
    end = version.upperBound
  }

  /// Adds the next field. Notes a gap unless a line end precedes it and a byte separates its name and value.
  mutating func add(name: Range<UInt>, value: Range<UInt>) {
    if !Self.lineEnd.contains(name.lowerBound &- end) || value.lowerBound <= name.upperBound { hasGap = true }
    end = value.upperBound
  }

  /// Whether nothing is missing between the first byte and `end`, which follows the empty line.
  func isWhole(endingAt end: UInt) -> Bool { !hasGap && Self.lineEnds.contains(end &- self.end) }

  /// The lengths of a line end: 2 for CR LF, 1 for a bare LF, which RFC 9112, 2.2 allows parsers to accept.
  private static let lineEnd: ClosedRange<UInt> = 1...2
  private static let lineEnds: ClosedRange<UInt> = 2...4

  /// libmicrohttpd 1.0 has another parser, which rejects these heads itself and has another memory layout.
  static let isNeeded = Daemon.version.hasPrefix("0.")
}
