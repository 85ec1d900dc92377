/// A segment of a URL's path (RFC 3986, 3.3) that contains a value.
package enum PathSegment {
  /// The value percent-encoded as one segment; `nil` if it would not remain one segment.
  package static func encode(_ value: String) -> String? { isOne(value) ? PercentCoding.encode(value) : nil }

  /// Whether every parser of the URL treats the text as one segment. The text must not be empty. Even if it is decoded repeatedly, neither
  /// the text nor a part between slashes may become a dot segment (RFC 3986, 5.2.4).
  static func isOne(_ text: String) -> Bool {
    var bytes = Array(text.utf8)
    while decode(&bytes) {}
    guard !bytes.isEmpty else { return false }
    let pieces = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    return !pieces.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
  }

  /// Decodes each escape once and keeps invalid escapes. Returns false if the text has no escape.
  private static func decode(_ bytes: inout [UInt8]) -> Bool {
    guard bytes.contains(UInt8(ascii: "%")) else { return false }
    var decoded: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count, let high = bytes[index + 1].hexDigit,
        let low = bytes[index + 2].hexDigit
      {
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    defer { bytes = decoded }
    return decoded.count < bytes.count
  }
}

/// Assembles a URL from text and values. In the path, a value fills exactly one segment, together with the text around it. In the query and the
/// fragment, any value is allowed.
struct URLFilling {
  private(set) var text = ""
  /// Whether every path segment that contains a value remains one segment.
  private(set) var isSound = true
  /// The current segment, with values not encoded; `nil` before and after the path.
  private var segment: String?
  private var holdsValue = false
  private var isBehindPath = false

  /// Appends text of the definition, or a base URL, without encoding it.
  mutating func add(text new: String) {
    text += new
    guard !isBehindPath else { return }
    for character in new.unicodeScalars {
      switch character {
      case "/":
        closeSegment()
        segment = ""
      case "?", "#":
        closeSegment()
        isBehindPath = true
        return
      default: segment?.unicodeScalars.append(character)
      }
    }
  }

  /// Appends a value, percent-encoded.
  mutating func add(value: String) {
    text += PercentCoding.encode(value)
    guard segment != nil else { return }
    segment? += value
    holdsValue = true
  }

  /// Ends the URL and checks its last segment. Must be called before `isSound` is read.
  mutating func finish() { closeSegment() }

  private mutating func closeSegment() {
    if holdsValue, let segment, !PathSegment.isOne(segment) { isSound = false }
    segment = nil
    holdsValue = false
  }
}
