// The request target in origin form, or `*`, decoded by us: libmicrohttpd cuts it at `%00` and passes absolute forms on.
extension RequestHead {
  /// Reads the bytes of the request line between method and version (RFC 9112 3.2, RFC 3986 2.1) into `segments` and `query`.
  ///
  /// Refused: an absolute or authority form, `*` but for OPTIONS, a fragment, bytes outside printable ASCII, a broken escape,
  /// a control character or invalid UTF-8 once decoded, and `.` or `..` as a segment, where proxies and servers disagree.
  func readTarget() throws(Fault) {
    let marks = marks()
    guard marks.isPrintable else {
      throw .badRequest(reason: "the request target holds a byte outside printable ASCII; escape it as %XX")
    }
    guard !marks.hasFragment else { throw .badRequest(reason: "the request target holds a fragment") }
    let target = target
    if target.elementsEqual("*".utf8), method.elementsEqual("OPTIONS".utf8) { return }
    guard target.first == UInt8(ascii: "/") else {
      throw .badRequest(reason: "the request target must be a path that starts with /")
    }
    let segments = try segments(of: target[1..<marks.pathEnd], isPlain: marks.isPlain)
    if marks.pathEnd < target.endIndex { query = try Self.items(target[(marks.pathEnd + 1)...]) }
    self.segments = segments
  }

  /// What one look at all bytes of the target tells.
  private struct Marks {
    var isPrintable = true
    var hasFragment = false
    /// Nothing has to be decoded.
    var isPlain = true
    /// Where the first `?` stands, or the end.
    var pathEnd: Int
  }

  private func marks() -> Marks {
    let count = target.count
    return bytes.withUnsafeBufferPointer { bytes in
      var marks = Marks(pathEnd: count)
      for index in 0..<count {
        switch bytes[index] {
        case UInt8(ascii: "#"): marks.hasFragment = true
        case UInt8(ascii: "%"): marks.isPlain = false
        case UInt8(ascii: "?"): marks.pathEnd = min(marks.pathEnd, index)
        case 0x21...0x7E: continue
        default: marks.isPrintable = false
        }
      }
      return marks
    }
  }

  private func segments(of path: ArraySlice<UInt8>, isPlain: Bool) throws(Fault) -> [Piece] {
    guard !path.isEmpty else { return [] }
    var segments: [Piece] = []
    segments.reserveCapacity(4)
    var start = path.startIndex
    while true {
      let end = path[start...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
      segments.append(try segment(path[start..<end], isPlain: isPlain))
      guard end < path.endIndex else { return segments }
      start = end + 1
    }
  }

  /// A segment lies where it stood, unless it has to be decoded.
  private func segment(_ raw: ArraySlice<UInt8>, isPlain: Bool) throws(Fault) -> Piece {
    let piece = isPlain ? Piece(raw.startIndex, raw.count) : append(Array(try Self.decode(raw, plusIsSpace: false).utf8))
    if piece.count <= 2, piece.count > 0, self[piece].allSatisfy({ $0 == UInt8(ascii: ".") }) {
      throw .badRequest(reason: "the path holds a . or .. segment")
    }
    return piece
  }

  private static func items(_ raw: ArraySlice<UInt8>) throws(Fault) -> [Request.QueryItem] {
    var items: [Request.QueryItem] = []
    for part in raw.split(separator: UInt8(ascii: "&")) {
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? try decode(pair[1], plusIsSpace: true) : ""
      items.append(.init(name: try decode(pair[0], plusIsSpace: true), value: value))
    }
    return items
  }

  private static func decode(_ raw: ArraySlice<UInt8>, plusIsSpace: Bool) throws(Fault) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(raw.count)
    var rest = raw.makeIterator()
    while let byte = rest.next() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.next()?.hexValue, let low = rest.next()?.hexValue else {
          throw .badRequest(reason: "the request target holds a % that two hexadecimal digits do not follow")
        }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .badRequest(reason: "the request target holds an escaped control character")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .badRequest(reason: "the request target's escapes are not UTF-8")
    }
    return text
  }
}

extension UInt8 {
  fileprivate var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
