/// A segment of a URL's path (RFC 3986, 3.3) that a value fills.
package enum PathSegment {
  /// A value percent-encoded as one segment; `nil`: it does not stay one.
  package static func encode(_ value: String) -> String? { isOne(value) ? PercentCoding.encode(value) : nil }

  /// Whether every reader of the URL sees text as one segment. It must not be empty, and neither it nor a part between its slashes may be a
  /// dot segment (RFC 3986, 5.2.4), however often it is decoded.
  static func isOne(_ text: String) -> Bool {
    var bytes = Array(text.utf8)
    while decode(&bytes) {}
    guard !bytes.isEmpty else { return false }
    let pieces = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    return !pieces.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
  }

  /// Decodes each escape once, and keeps invalid ones; returns false if there was none.
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

/// A URL that is put together from text and values. A value behind the first slash fills exactly one segment of the path, alone or with
/// the text around it; in a query and a fragment it may be anything.
struct URLFilling {
  private(set) var text = ""
  /// Whether each segment of the path that holds a value is one.
  private(set) var isSound = true
  /// The segment that is being written, decoded where it is a value; `nil`: before the path, or behind it.
  private var segment: String?
  private var holdsValue = false
  private var isBehindPath = false

  /// Adds text of the definition, or a base URL, without encoding it.
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

  /// Adds a value, percent-encoded.
  mutating func add(value: String) {
    text += PercentCoding.encode(value)
    guard segment != nil else { return }
    segment? += value
    holdsValue = true
  }

  /// Ends the URL.
  mutating func finish() { closeSegment() }

  private mutating func closeSegment() {
    if holdsValue, let segment, !PathSegment.isOne(segment) { isSound = false }
    segment = nil
    holdsValue = false
  }
}
