/// Reads JSON into tokens, by the letter of RFC 8259: what Foundation's decoder passes over (commas with nothing behind them, depth,
/// members given twice) a front has to see. Nothing is made of a value before somebody asks for it.
struct JSONReader: ~Copyable {
  private let text: UnsafeBufferPointer<UInt8>
  private let isASCII: Bool
  private var tokens: JSONTokens
  private let depthLimit: Int
  private let valueLimit: Int
  private var index = 0
  private var depth = 0
  /// An object has a member twice.
  private var hasRepeats = false

  /// `text` must be UTF-8; `room` is where the tokens begin.
  init(
    _ text: UnsafeBufferPointer<UInt8>, isASCII: Bool, tokensIn room: UnsafeMutableBufferPointer<JSONToken>, depthLimit: Int,
    valueLimit: Int
  ) {
    self.text = text
    self.isASCII = isASCII
    tokens = JSONTokens(in: room)
    self.depthLimit = depthLimit
    self.valueLimit = valueLimit
  }

  /// Reads the one value of the text, and nothing behind it, and hands it to `body`.
  mutating func readDocument<Result>(_ body: (JSONElement) -> Result) throws(JSONFault) -> Result {
    try value()
    skipBlanks()
    guard index == text.count else { throw fault("something stands behind the value") }
    // The tokens live as long as this reader, and so as long as `body` runs.
    guard hasRepeats else { return body(element(0)) }
    var repeats = JSONElement.Repeats()
    element(0).note(&repeats)
    throw .repeated(repeats.pointers, count: repeats.count)
  }

  /// What was read into a token and those behind it. A token stands at a byte, so there is a text.
  private func element(_ token: Int) -> JSONElement { JSONElement(text: text.baseAddress!, tokens: tokens.base, index: token) }

  private mutating func value() throws(JSONFault) {
    guard tokens.count < valueLimit else { throw .tooMany(limit: valueLimit) }
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true", .yes)
    case UInt8(ascii: "f"): try word("false", .no)
    case UInt8(ascii: "n"): try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    default: throw fault(index == text.count ? "it ends where a value is expected" : "a value is expected")
    }
  }

  private mutating func object() throws(JSONFault) {
    let token = try enter(.object)
    var members: UInt32 = 0
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else { throw fault("a member's name in quotes is expected") }
        try string()
        guard take(UInt8(ascii: ":")) else { throw fault("a colon is expected") }
        try value()
        members += 1
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw fault("a comma or } is expected") }
    }
    leave(token, members)
    if members > 1 {
      hasRepeats = element(token).repeatsName || hasRepeats
    }
  }

  private mutating func array() throws(JSONFault) {
    let token = try enter(.array)
    var elements: UInt32 = 0
    if !take(UInt8(ascii: "]")) {
      repeat {
        try value()
        elements += 1
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw fault("a comma or ] is expected") }
    }
    leave(token, elements)
  }

  private mutating func enter(_ kind: JSONToken.Kind) throws(JSONFault) -> Int {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    depth += 1
    append(kind, from: index)
    index += 1
    return tokens.count - 1
  }

  private mutating func leave(_ token: Int, _ length: UInt32) {
    depth -= 1
    tokens[token].length = length
    tokens[token].next = UInt32(truncatingIfNeeded: tokens.count)
  }

  /// Notes a token. There are fewer bytes, and so fewer tokens, than 32 bits count.
  @inline(__always)
  private mutating func append(_ kind: JSONToken.Kind, from start: Int, length: Int = 0, isPlain: Bool = true) {
    tokens.append(
      JSONToken(
        start: UInt32(truncatingIfNeeded: start), length: UInt32(truncatingIfNeeded: length),
        next: UInt32(truncatingIfNeeded: tokens.count + 1), kind: kind, isPlain: isPlain))
  }

  private mutating func word(_ word: StaticString, _ kind: JSONToken.Kind) throws(JSONFault) {
    let length = word.utf8CodeUnitCount
    guard index + length <= text.count, (0..<length).allSatisfy({ text[index + $0] == word.utf8Start[$0] }) else {
      throw fault("a value is expected")
    }
    append(kind, from: index)
    index += length
  }

  private mutating func number() throws(JSONFault) {
    let start = index
    if byte == UInt8(ascii: "-") { index += 1 }
    if byte == UInt8(ascii: "0") { index += 1 } else { try digits() }
    // 18 digits and a sign fit into 64 bits whatever they are.
    var isPlain = index - start <= 18
    if byte == UInt8(ascii: ".") {
      index += 1
      try digits()
      isPlain = false
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      index += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { index += 1 }
      try digits()
      isPlain = false
    }
    append(.number, from: start, length: index - start, isPlain: isPlain)
    if !isPlain {
      guard let number = Double(String(decoding: text[start..<index], as: UTF8.self)), number.isFinite else {
        throw fault("the number before it is too large")
      }
    }
  }

  private mutating func digits() throws(JSONFault) {
    let start = index
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    guard index > start else { throw fault("a digit is expected") }
  }

  /// The string that begins here.
  @inline(__always)
  private mutating func string() throws(JSONFault) {
    let start = index + 1
    // Mostly it has no escape in it, and all of the text is ASCII.
    guard isASCII, let stop = JSONEscape.first(in: text, from: start), text[stop] == UInt8(ascii: "\"") else {
      return try anyString(from: start)
    }
    append(.string, from: start, length: stop - start)
    index = stop + 1
  }

  @inline(never)
  private mutating func anyString(from start: Int) throws(JSONFault) {
    var isPlain = true
    index = start
    while let stop = JSONEscape.first(in: text, from: index) {
      index = stop
      switch text[stop] {
      case UInt8(ascii: "\""):
        isPlain = isPlain && (isASCII || UTF8.isASCII(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(text)[start..<stop])))
        append(.string, from: start, length: stop - start, isPlain: isPlain)
        index += 1
        return
      case UInt8(ascii: "\\"):
        isPlain = false
        index += 1
        do throws(JSONEscape.Mistake) {
          _ = try JSONEscape.scalar(in: text, at: &index)
        } catch {
          throw fault(error.text)
        }
      default: throw fault("a control character in a string must be escaped")
      }
    }
    index = text.count
    throw fault("it ends inside a string")
  }

  /// The byte that comes next; 0, which stands nowhere outside of a string, at the end.
  private var byte: UInt8 { index < text.count ? text[index] : 0 }

  private mutating func skipBlanks() {
    while byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  /// Goes over one byte, blanks before it included, if it is there.
  private mutating func take(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
    index += 1
    return true
  }

  /// What is wrong here.
  private func fault(_ what: String) -> JSONFault {
    let before = text[..<min(index, text.count)]
    let line = before.count { $0 == 0x0A } + 1
    return .malformed(what, line: line, column: before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1)
  }
}
