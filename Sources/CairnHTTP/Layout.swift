/// Where the parts of a head lie in the connection's memory: a head is whole when they follow each other without a gap.
///
/// 0.9.75 shows C strings, so a NUL hides the bytes behind it. It also glues a folded line to the header's *name*: `Content-Length:`, CR
/// LF, blank, `5` becomes a field `Content-Length5`, and the body the next request. In both cases the library shows fewer bytes than the
/// head has, which can be measured: method, target, version and fields are cut in place, in order.
struct Layout {
  private var end: UInt
  private(set) var hasGap: Bool

  /// The request line: one blank between its parts.
  init(method: Range<UInt>, target: Range<UInt>, version: Range<UInt>) {
    hasGap = target.lowerBound != method.upperBound &+ 1 || version.lowerBound != target.upperBound &+ 1
    end = version.upperBound
  }

  /// The next field: a line's end before it, a colon inside it.
  mutating func add(name: Range<UInt>, value: Range<UInt>) {
    if !Self.lineEnd.contains(name.lowerBound &- end) || value.lowerBound <= name.upperBound { hasGap = true }
    end = value.upperBound
  }

  /// True when nothing is missing between the first byte and `end`, which lies behind the empty line.
  func isWhole(endingAt end: UInt) -> Bool { !hasGap && Self.lineEnds.contains(end &- self.end) }

  /// CR LF, or LF alone, which RFC 9112 2.2 lets a reader take.
  private static let lineEnd: ClosedRange<UInt> = 1...2
  private static let lineEnds: ClosedRange<UInt> = 2...4

  /// 1.0 brought another parser, which refuses these heads by itself and lays them out differently.
  static let isNeeded = Daemon.version.hasPrefix("0.")
}
