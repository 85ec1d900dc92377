/// Percent encoding of UTF-8 text (RFC 3986, 2.1).
package enum PercentCoding {
  /// The characters that a fragment allows in addition to the unreserved ones (RFC 3986, 3.5).
  package static let fragment = "!$&'()*+,;=:@/?"

  /// Escapes every character except the unreserved ones and those in `spared`. The result is valid in a path segment, a query and a form.
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
  static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst()?.hexDigit, let low = rest.popFirst()?.hexDigit else { return nil }
      bytes.append(high << 4 | low)
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
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
