import CairnCore

/// Reads JSON by the letter of RFC 8259. Foundation's decoder takes three microseconds a value, and passes over what a front has to see:
/// members that an object has twice, commas with nothing behind them, depth.
struct JSONReader {
  private enum Place {
    case member(String)
    case element(Int)
  }

  private let bytes: [UInt8]
  private let depthLimit: Int
  private var index = 0
  private var places: [Place] = []
  /// JSON Pointers of members that an object has twice, in order.
  private(set) var repeated: [String] = []

  /// `bytes` must be UTF-8.
  init(_ bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  /// The one value of the text, and nothing behind it.
  mutating func document() throws(BodyFault) -> Value {
    let value = try value()
    skipBlanks()
    guard index == bytes.count else { throw fault("something stands behind the value") }
    return value
  }

  private mutating func value() throws(BodyFault) -> Value {
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case let first? where first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first): return try number()
    case nil: throw fault("it ends where a value is expected")
    default: throw fault("a value is expected")
    }
  }

  private mutating func object() throws(BodyFault) -> Value {
    var members: [String: Value] = [:]
    try enter(.member(""))
    guard !take(UInt8(ascii: "}")) else { return leave(.object(members)) }
    repeat {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw fault("a member's name in quotes is expected") }
      let name = try string()
      places[places.count - 1] = .member(name)
      guard take(UInt8(ascii: ":")) else { throw fault("a colon is expected") }
      if members.updateValue(try value(), forKey: name) != nil { repeated.append(pointer) }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("a comma or } is expected") }
    return leave(.object(members))
  }

  private mutating func array() throws(BodyFault) -> Value {
    var elements: [Value] = []
    try enter(.element(0))
    guard !take(UInt8(ascii: "]")) else { return leave(.array(elements)) }
    repeat {
      places[places.count - 1] = .element(elements.count)
      elements.append(try value())
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("a comma or ] is expected") }
    return leave(.array(elements))
  }

  private mutating func enter(_ place: Place) throws(BodyFault) {
    guard places.count < depthLimit else { throw .notJSON("the body must not be nested deeper than \(depthLimit)") }
    places.append(place)
    index += 1
  }

  private mutating func leave(_ value: Value) -> Value {
    places.removeLast()
    return value
  }

  private mutating func word(_ word: String, _ value: Value) throws(BodyFault) -> Value {
    guard bytes[index...].starts(with: word.utf8) else { throw fault("a value is expected") }
    index += word.utf8.count
    return value
  }

  private mutating func number() throws(BodyFault) -> Value {
    let start = index
    if byte == UInt8(ascii: "-") { index += 1 }
    if byte == UInt8(ascii: "0") { index += 1 } else { try digits() }
    var isWhole = true
    if byte == UInt8(ascii: ".") {
      index += 1
      try digits()
      isWhole = false
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      index += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
      try digits()
      isWhole = false
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else { throw fault("the number before it is too large") }
    return Int(exactly: number).map(Value.integer) ?? .number(number)
  }

  private mutating func digits() throws(BodyFault) {
    let start = index
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index > start else { throw fault("a digit is expected") }
  }

  /// The string that begins here.
  private mutating func string() throws(BodyFault) -> String {
    index += 1
    var start = index
    var text = ""
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        text += String(decoding: bytes[start..<index], as: UTF8.self)
        index += 1
        return text
      case UInt8(ascii: "\\"):
        text += String(decoding: bytes[start..<index], as: UTF8.self)
        index += 1
        text.unicodeScalars.append(try escaped())
        start = index
      case ..<0x20: throw fault("a control character in a string must be escaped")
      default: index += 1
      }
    }
    throw fault("it ends inside a string")
  }

  private mutating func escaped() throws(BodyFault) -> Unicode.Scalar {
    let plain: [UInt8: Unicode.Scalar] = [
      UInt8(ascii: "\""): "\"", UInt8(ascii: "\\"): "\\", UInt8(ascii: "/"): "/", UInt8(ascii: "b"): "\u{08}", UInt8(ascii: "f"): "\u{0C}",
      UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]
    guard let byte else { throw fault("it ends inside a string") }
    index += 1
    if let scalar = plain[byte] { return scalar }
    guard byte == UInt8(ascii: "u") else { throw fault("there is no such escape") }
    let first = try fourDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, bytes[index...].starts(with: "\\u".utf8) else { throw fault("half of a surrogate pair stands alone") }
    index += 2
    let second = try fourDigits()
    guard (0xDC00...0xDFFF).contains(second), let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else {
      throw fault("half of a surrogate pair stands alone")
    }
    return scalar
  }

  private mutating func fourDigits() throws(BodyFault) -> UInt32 {
    let text = bytes[index...].prefix(4)
    guard text.count == 4, !text.contains(UInt8(ascii: "+")), !text.contains(UInt8(ascii: "-")),
      let number = UInt32(String(decoding: text, as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits are expected") }
    index += 4
    return number
  }

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  /// Goes over one byte, blanks before it included, if it is there.
  private mutating func take(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
    index += 1
    return true
  }

  private var pointer: String {
    places.map { place in
      switch place {
      case .member(let name): "/\(name.pointerToken)"
      case .element(let index): "/\(index)"
      }
    }.joined()
  }

  /// What is wrong here, by line and column (in bytes), from 1.
  private func fault(_ text: String) -> BodyFault {
    let before = bytes[..<min(index, bytes.count)]
    let line = before.count { $0 == 0x0A } + 1
    let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
    return .notJSON("the body must be JSON: \(text), at line \(line), column \(column)")
  }
}

extension String {
  /// As a reference token of a JSON Pointer (RFC 6901, 3).
  var pointerToken: String { replacing("~", with: "~0").replacing("/", with: "~1") }
}
