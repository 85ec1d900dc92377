/// The request target in origin form, absolute form or as `*`. It is decoded here because libmicrohttpd cuts the target at `%00` and passes
/// absolute forms on as paths.
package struct RequestTarget: Sendable {
  /// The offset of the path in the target. It is not 0 for an absolute form, where the path follows the authority.
  private(set) var pathStart = 0
  private(set) var segments = Segments()
  private(set) var query: [Request.QueryItem] = []

  /// The positions of the decoded path segments. The first six are stored inline, because no endpoint has a longer path.
  struct Segments: Sendable {
    private var first = InlineArray<6, HeadText.Piece>(repeating: HeadText.Piece(0, 0))
    private var others: [HeadText.Piece] = []
    private(set) var count = 0

    subscript(index: Int) -> HeadText.Piece { index < first.count ? first[index] : others[index - first.count] }

    mutating func append(_ piece: HeadText.Piece) {
      if count < first.count { first[count] = piece } else { others.append(piece) }
      count += 1
    }
  }

  /// Creates an empty target, for a request whose target was not read.
  init() {}

  /// Parses the bytes between method and version (RFC 9112, 3.2; RFC 3986, 2.1). Decoded segments are appended to the bytes of the head.
  ///
  /// Rejects the authority form, and an absolute form whose authority differs from Host. (RFC 9112, 3.2.2 gives the target precedence, but
  /// a client that sends different values is faulty.) Also rejects `*` except for OPTIONS, a fragment, bytes outside printable ASCII, and
  /// an invalid escape. After decoding, rejects control characters, invalid UTF-8, and the segments `.` and `..`, which proxies and servers
  /// treat differently. The value of a query parameter may contain tabs and line breaks.
  package init(_ head: inout HeadText) throws(Fault) {
    let place = Int(head.target.start)
    let marks = head.with(head.target) { Marks($0, at: place) }
    guard marks.isPrintable else {
      throw .badRequest(reason: "the request target contains a byte outside printable ASCII; escape it as %XX")
    }
    guard !marks.hasFragment else { throw .badRequest(reason: "the request target must not contain a fragment") }
    if head.with(head.target, { $0.isEqual(to: "*") }), head.with(head.method, { $0.isEqual(to: "OPTIONS") }) { return }
    let target = head[head.target]
    let isPath = target.first == UInt8(ascii: "/")
    if !isPath {
      guard let authority = Self.authority(of: target[..<marks.pathEnd]) else {
        throw .badRequest(reason: "the request target must be a path that starts with /, or an http URL of this host")
      }
      guard Self.isHost(authority, of: head) else {
        throw .badRequest(reason: "the authority of the request target must match the Host header")
      }
      pathStart = authority.endIndex
    }
    if isPath, marks.isPlain {
      guard !marks.hasDots else { throw Self.dots }
      segments = marks.segments
    } else {
      try readSegments(target[min(pathStart + 1, marks.pathEnd)..<marks.pathEnd], isPlain: marks.isPlain, &head)
    }
    if marks.pathEnd < target.endIndex { query = try Self.items(target[(marks.pathEnd + 1)...]) }
  }

  /// The results of one pass over the bytes of the target.
  private struct Marks {
    var isPrintable = true
    var hasFragment = false
    /// Whether the target contains no escapes.
    var isPlain = true
    /// The offset of the first `?`, or the length of the target.
    var pathEnd: Int
    /// The segments. Valid only if the target is a path without escapes.
    var segments = Segments()
    /// Whether a segment is `.` or `..`.
    var hasDots = false

    /// Scans the target. `place` is the offset of the target in the bytes of the head.
    init(_ target: UnsafeRawBufferPointer, at place: Int) {
      pathEnd = target.count
      // The first segment starts after the first slash.
      var start = 1
      for index in 0..<target.count {
        let byte = target[index]
        if byte.isLetterOrDigit { continue }
        switch byte {
        case UInt8(ascii: "/") where index > 0 && pathEnd == target.count:
          add(target, start..<index, at: place)
          start = index + 1
        case UInt8(ascii: "#"): hasFragment = true
        case UInt8(ascii: "%"): isPlain = false
        case UInt8(ascii: "?"): pathEnd = min(pathEnd, index)
        case 0x21...0x7E: continue
        default: isPrintable = false
        }
      }
      if pathEnd > 1 { add(target, start..<pathEnd, at: place) }
    }

    private mutating func add(_ target: UnsafeRawBufferPointer, _ range: Range<Int>, at place: Int) {
      let dot = UInt8(ascii: ".")
      if (1...2).contains(range.count), target[range.lowerBound] == dot, target[range.upperBound - 1] == dot { hasDots = true }
      segments.append(HeadText.Piece(place + range.lowerBound, range.count))
    }
  }

  private static let dots = Fault.badRequest(reason: "the path must not contain . or .. segments")

  /// The authority between `http://` or `https://` and the path; `nil` if the target has another form.
  private static func authority(of target: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    for scheme in ["http://", "https://"] {
      let start = target.prefix(scheme.utf8.count)
      guard start.count == scheme.utf8.count, zip(start, scheme.utf8).allSatisfy({ $0.equalsIgnoringCase($1) }) else { continue }
      return target[start.endIndex...].prefix { $0 != UInt8(ascii: "/") }
    }
    return nil
  }

  private static func isHost(_ authority: ArraySlice<UInt8>, of head: HeadText) -> Bool {
    // The framing check guarantees exactly one Host field, or at most one in HTTP/1.0.
    guard !authority.isEmpty, let index = head.field("Host") else { return false }
    var host = head[head.fields[index].value]
    while host.first?.isBlank ?? false { host.removeFirst() }
    while host.last?.isBlank ?? false { host.removeLast() }
    return host.count == authority.count && zip(host, authority).allSatisfy { $0.equalsIgnoringCase($1) }
  }

  private mutating func readSegments(_ path: ArraySlice<UInt8>, isPlain: Bool, _ head: inout HeadText) throws(Fault) {
    guard !path.isEmpty else { return }
    var start = path.startIndex
    while true {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      segments.append(try Self.segment(path[start..<end], isPlain: isPlain, &head))
      guard end < path.endIndex else { return }
      start = end + 1
    }
  }

  /// Returns the position of one path segment. If the segment contains escapes, the decoded text is appended to the head. Throws if the
  /// segment cannot be decoded, or if it is `.` or `..`.
  private static func segment(_ raw: ArraySlice<UInt8>, isPlain: Bool, _ head: inout HeadText) throws(Fault) -> HeadText.Piece {
    let piece = isPlain ? HeadText.Piece(raw.startIndex, raw.count) : head.append(try decode(raw, plusIsSpace: false))
    if piece.count <= 2, piece.count > 0, head[piece].allSatisfy({ $0 == UInt8(ascii: ".") }) {
      throw dots
    }
    return piece
  }

  private static func items(_ raw: ArraySlice<UInt8>) throws(Fault) -> [Request.QueryItem] {
    var items: [Request.QueryItem] = []
    for part in raw.split(separator: UInt8(ascii: "&")) {
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? try decode(pair[1], plusIsSpace: true, allowsLines: true) : ""
      items.append(.init(name: try decode(pair[0], plusIsSpace: true), value: value))
    }
    return items
  }

  private static func decode(_ raw: ArraySlice<UInt8>, plusIsSpace: Bool, allowsLines: Bool = false) throws(Fault) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var rest = raw.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else {
          throw .badRequest(reason: "every % in the request target must be followed by two hexadecimal digits")
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || allowsLines && ($0 == 0x09 || $0 == 0x0A || $0 == 0x0D) }) else {
      throw .badRequest(reason: "the request target must not contain escaped control characters")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badRequest(reason: "the escapes in the request target must be valid UTF-8")
    }
    return text
  }
}

extension UInt8 {
  var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
