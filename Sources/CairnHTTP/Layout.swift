/// Where the parts of a head lie in the connection's memory: a head is whole when they follow each other without a gap.
///
/// 0.9.75 shows C strings, so a NUL hides the bytes behind it. It also glues a folded line to the header's *name*: `Content-Length:`, CR
/// LF, blank, `5` becomes a field `Content-Length5`, and the body the next request. In both cases the library shows fewer bytes than the
/// head has, which can be measured: method, target, version and fields are cut in place, in order.
struct Layout {
  private var end: UInt
  private(set) var hasGap: Bool

  /// The request line, whose parts are separated by one space.
  init(method: Range<UInt>, target: Range<UInt>, version: Range<UInt>) {
    hasGap = target.lowerBound != method.upperBound &+ 1 || version.lowerBound != target.upperBound &+ 1
    end = version.upperBound
  }

  /// Adds the next field: before it the end of a line, within it a colon.
  mutating func add(name: Range<UInt>, value: Range<UInt>) {
    if !Self.lineEnd.contains(name.lowerBound &- end) || value.lowerBound <= name.upperBound { hasGap = true }
    end = value.upperBound
  }

  /// Whether nothing is missing between the first byte and `end`, which is behind the empty line.
  func isWhole(endingAt end: UInt) -> Bool { !hasGap && Self.lineEnds.contains(end &- self.end) }

  /// CR LF, or a bare LF, which RFC 9112, 2.2 allows parsers to accept.
  private static let lineEnd: ClosedRange<UInt> = 1...2
  private static let lineEnds: ClosedRange<UInt> = 2...4

  /// libmicrohttpd 1.0 has another parser, which rejects these heads itself and has another memory layout.
  static let isNeeded = Daemon.version.hasPrefix("0.")
}
