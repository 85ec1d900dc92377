/// A request target in origin form, or `*`, decoded by us: libmicrohttpd cuts it at `%00` and passes absolute forms on.
struct Target: Equatable {
  let rawPath: String
  let path: [String]
  let query: [Request.QueryItem]

  /// Decodes the bytes of the request line between method and version (RFC 9112 3.2, RFC 3986 2.1).
  ///
  /// Refused: an absolute or authority form, `*` but for OPTIONS, a fragment, bytes outside printable ASCII, a broken escape,
  /// a control character or invalid UTF-8 once decoded, and `.` or `..` as a segment, where proxies and servers disagree.
  init(_ raw: some Collection<UInt8>, method: String) throws(Fault) {
    guard raw.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw .badRequest(reason: "the request target holds a byte outside printable ASCII; escape it as %XX")
    }
    guard !raw.contains(UInt8(ascii: "#")) else { throw .badRequest(reason: "the request target holds a fragment") }
    if raw.elementsEqual("*".utf8), method == "OPTIONS" {
      (rawPath, path, query) = ("*", [], [])
      return
    }
    guard raw.first == UInt8(ascii: "/") else {
      throw .badRequest(reason: "the request target must be a path that starts with /")
    }
    let parts = raw.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    rawPath = String(decoding: parts[0], as: UTF8.self)
    path = try Self.segments(parts[0].dropFirst())
    query = parts.count > 1 ? try Self.items(parts[1]) : []
  }

  private static func segments(_ raw: some Collection<UInt8>) throws(Fault) -> [String] {
    guard !raw.isEmpty else { return [] }
    var segments: [String] = []
    for part in raw.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      let segment = try decode(part, plusIsSpace: false)
      guard segment != ".", segment != ".." else {
        throw .badRequest(reason: "the path holds a . or .. segment")
      }
      segments.append(segment)
    }
    return segments
  }

  private static func items(_ raw: some Collection<UInt8>) throws(Fault) -> [Request.QueryItem] {
    var items: [Request.QueryItem] = []
    for part in raw.split(separator: UInt8(ascii: "&")) {
      let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = pair.count > 1 ? try decode(pair[1], plusIsSpace: true) : ""
      items.append(.init(name: try decode(pair[0], plusIsSpace: true), value: value))
    }
    return items
  }

  private static func decode(_ raw: some Collection<UInt8>, plusIsSpace: Bool) throws(Fault) -> String {
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
