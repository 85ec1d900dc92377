/// Hexadecimal text.
package enum Hexadecimal {
  /// The bytes as two lowercase digits each.
  package static func text(of bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      text.unicodeScalars.append(digit(byte >> 4, letters: UInt8(ascii: "a")))
      text.unicodeScalars.append(digit(byte & 15, letters: UInt8(ascii: "a")))
    }
    return text
  }

  /// The digit of a number below 16. `letters` is the digit of ten.
  static func digit(_ number: UInt8, letters: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(number < 10 ? UInt8(ascii: "0") + number : letters + number - 10)
  }
}

extension UInt8 {
  /// The value of an ASCII byte as a hexadecimal digit, of either case; `nil` for other bytes.
  package var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
