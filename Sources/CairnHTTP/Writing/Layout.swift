/// Checks that the parts of a head follow each other in the connection's memory without a gap.
///
/// libmicrohttpd 0.9.75 passes C strings, so a NUL hides the bytes after it. It also appends a folded line to the field's *name*:
/// `Content-Length:`, CR LF, blank, `5` becomes a field `Content-Length5`, and the body is read as the next request. In both cases the
/// library passes fewer bytes than the head has. The missing bytes are detectable because the library cuts method, target, version and
/// fields in place, in order.
struct Layout {
  private var end: UInt
  private(set) var hasGap: Bool

  /// Starts with the request line, whose parts must be separated by exactly one blank.
  init(method: Range<UInt>, target: Range<UInt>, version: Range<UInt>) {
    hasGap = target.lowerBound != method.upperBound &+ 1 || version.lowerBound != target.upperBound &+ 1
    end = version.upperBound
  }

  /// Adds the next field. A line end must precede it, and a colon must separate its name and value.
  mutating func add(name: Range<UInt>, value: Range<UInt>) {
    if !Self.lineEnd.contains(name.lowerBound &- end) || value.lowerBound <= name.upperBound { hasGap = true }
    end = value.upperBound
  }

  /// Whether no byte is missing before `end`, the address after the empty line.
  func isWhole(endingAt end: UInt) -> Bool { !hasGap && Self.lineEnds.contains(end &- self.end) }

  /// The length of a line end: CR LF, or LF, which RFC 9112, 2.2 allows a recipient to accept.
  private static let lineEnd: ClosedRange<UInt> = 1...2
  private static let lineEnds: ClosedRange<UInt> = 2...4

  /// Whether the check is needed. libmicrohttpd 1.0 has another parser, which itself rejects these heads and arranges heads differently.
  static let isNeeded = Daemon.version.hasPrefix("0.")
}
