/// Percent encoding of UTF-8 text (RFC 3986, 2.1).
package enum PercentCoding {
  /// The characters that a fragment may contain in addition to the unreserved ones (RFC 3986, 3.5).
  package static let fragment = "!$&'()*+,;=:@/?"

  /// Escapes every character except the unreserved ones and the characters in `spared`. The result is valid in a path segment, a query and
  /// a form.
  package static func encode(_ text: String, sparing spared: String = "") -> String {
    var coded = ""
    for byte in text.utf8 {
      if isUnreserved(byte) || spared.utf8.contains(byte) {
        coded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        coded.unicodeScalars.append("%")
        coded.unicodeScalars.append(Hexadecimal.digit(byte >> 4, letters: UInt8(ascii: "A")))
        coded.unicodeScalars.append(Hexadecimal.digit(byte & 15, letters: UInt8(ascii: "A")))
      }
    }
    return coded
  }

  /// Decodes a text. Returns `nil` for an invalid escape, a NUL, or bytes that are not UTF-8.
  package static func decode(_ text: String) -> String? { decode(Array(text.utf8)[...]) }

  /// Decodes a text in UTF-8. Returns `nil` for an invalid escape, a NUL, or bytes that are not UTF-8. With `plusIsSpace`, a `+` is a space, as in
  /// forms.
  static func decode(_ text: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> String? {
    let (bytes, isValid) = bytes(text, plusIsSpace: plusIsSpace)
    guard isValid, !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// The decoded bytes, and whether every escape is valid. An invalid escape is left unchanged.
  static func bytes(_ text: ArraySlice<UInt8>, plusIsSpace: Bool) -> (bytes: [UInt8], isValid: Bool) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var isValid = true
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.first?.hexDigit, let low = rest.dropFirst().first?.hexDigit else {
          isValid = false
          bytes.append(byte)
          continue
        }
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return (bytes, isValid)
  }

  /// Encodes a value of a form: like `encode`, with `+` for a space (WHATWG URL, 5.2; RFC 6749, appendix B).
  package static func encodeForm(_ text: String) -> String {
    var coded = ""
    for part in text.split(separator: " ", omittingEmptySubsequences: false) {
      if part.startIndex != text.startIndex { coded += "+" }
      coded += encode(String(part))
    }
    return coded
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
