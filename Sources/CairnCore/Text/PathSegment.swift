/// A path segment of a URL (RFC 3986, 3.3) that is made from a value.
package enum PathSegment {
  /// Percent-encodes a value as one segment; `nil` if a reader of the URL could see more than one segment or a dot segment.
  package static func encode(_ value: String) -> String? { isOne(value) ? PercentCoding.encode(value) : nil }

  /// Whether every reader of the URL sees the text as one segment. It must not be empty. Neither the text nor a part between its slashes
  /// may be a dot segment (RFC 3986, 5.2.4), even after repeated decoding.
  static func isOne(_ text: String) -> Bool {
    var bytes = Array(text.utf8)
    while decode(&bytes) {}
    guard !bytes.isEmpty else { return false }
    let pieces = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
    return !pieces.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
  }

  /// Decodes each valid escape once and keeps invalid ones. Returns `false` if there were no valid escapes.
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

/// Builds a URL from text and values. In the path, a value is part of exactly one segment, with or without text around it. In the query and
/// the fragment a value may be anything.
struct URLFilling {
  private(set) var text = ""
  /// Whether each path segment that contains a value is a single segment for every reader.
  private(set) var isSound = true
  /// The current path segment, in which values are not encoded; `nil` before and after the path.
  private var segment: String?
  private var holdsValue = false
  private var isBehindPath = false

  /// Adds text of the definition or a base URL without encoding it.
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
