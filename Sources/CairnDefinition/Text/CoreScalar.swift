import CairnCore

/// Resolves plain scalars by the core schema of YAML 1.2 (10.3.2), in which `on`, `yes` and `no` are strings.
enum CoreScalar {
  /// The value of a plain scalar, or the reason why JSON cannot represent it.
  static func value(of text: String) -> Result<Value, Unreadable> {
    switch text {
    case "", "~", "null", "Null", "NULL": return .success(.null)
    case "true", "True", "TRUE": return .success(.bool(true))
    case "false", "False", "FALSE": return .success(.bool(false))
    default: break
    }
    guard let first = text.utf8.first,
      first == UInt8(ascii: "+") || first == UInt8(ascii: "-") || first == UInt8(ascii: ".") || isDigit(first)
    else { return .success(.string(text)) }
    if let radix = radix(of: text) {
      return Int(text.dropFirst(2), radix: radix).map { .success(.integer($0)) } ?? .failure(.tooLarge)
    }
    let unsigned = first == UInt8(ascii: "+") || first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    if !unsigned.isEmpty && unsigned.allSatisfy(isDigit) {
      return Int(text).map { .success(.integer($0)) } ?? .failure(.tooLarge)
    }
    if [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(String(unsigned)) { return .failure(.notFinite) }
    guard isFloat(unsigned) else { return .success(.string(text)) }
    guard let number = Double(text), number.isFinite else { return .failure(.tooLarge) }
    return .success(.reading(number))
  }

  enum Unreadable: Error {
    case tooLarge, notFinite

    var message: String {
      switch self {
      case .tooLarge: "this number is too large; quote it if it is a string"
      case .notFinite: "must be a finite number, because JSON has no other numbers; quote it if it is a string"
      }
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// The radix of numbers like `0o17` and `0x1F`; `nil` for any other text.
  private static func radix(of text: String) -> Int? {
    let digits = text.utf8.dropFirst(2)
    guard !digits.isEmpty else { return nil }
    if text.hasPrefix("0o"), digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "7") ~= $0 }) { return 8 }
    if text.hasPrefix("0x"), digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) { return 16 }
    return nil
  }

  /// Whether the text matches `( \. [0-9]+ | [0-9]+ ( \. [0-9]* )? ) ( [eE] [-+]? [0-9]+ )?`.
  private static func isFloat(_ text: Substring.UTF8View) -> Bool {
    var rest = text
    func digits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    let whole = digits()
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      if digits() == 0 && whole == 0 { return false }
    } else if whole == 0 {
      return false
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}
