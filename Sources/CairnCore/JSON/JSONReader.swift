/// Reads JSON into tokens, strictly after RFC 8259: a server has to reject what Foundation's decoder accepts (trailing commas, any depth,
/// repeated members). A value is only converted on request.
struct JSONReader: ~Copyable {
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private let isASCII: Bool
  private var tokens: JSONTokens
  private let depthLimit: Int
  private let valueLimit: Int
  /// This process wrote the text: no member is there twice, and a number may be too large to be one.
  private let isStored: Bool
  /// The byte that is read next.
  private var next: UnsafePointer<UInt8>
  private var depth = 0
  /// An object has a member twice.
  private var hasRepeats = false

  /// The text must be UTF-8; `room` is where the tokens begin.
  init(
    _ start: UnsafePointer<UInt8>, count: Int, isASCII: Bool, tokensIn room: UnsafeMutableBufferPointer<JSONToken>, depthLimit: Int,
    valueLimit: Int, isStored: Bool
  ) {
    self.start = start
    end = start + count
    next = start
    self.isASCII = isASCII
    tokens = JSONTokens(in: room, textLength: count)
    self.depthLimit = depthLimit
    self.valueLimit = valueLimit
    self.isStored = isStored
  }

  /// Reads the one value of the text, and nothing behind it.
  mutating func readDocument() throws(JSONFault) {
    try value()
    skipBlanks()
    guard next == end else { throw fault("something stands behind the value") }
    guard hasRepeats else { return }
    var repeats = JSONElement.Repeats()
    element(0).note(&repeats)
    throw .repeated(repeats.pointers, count: repeats.count)
  }

  /// Hands the value that was read to `body`: its tokens live as long as this reader, and so as long as `body` runs.
  borrowing func withRoot<Result, Failure: Error>(_ body: (JSONElement) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(element(0))
  }

  /// The element of a token and the tokens behind it.
  private func element(_ token: Int) -> JSONElement { JSONElement(text: start, tokens: tokens.base, index: token) }

  private mutating func value() throws(JSONFault) {
    guard tokens.count < valueLimit else { throw .tooMany(limit: valueLimit) }
    skipBlanks()
    switch byte {
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "t"): try word("true", .yes)
    case UInt8(ascii: "f"): try word("false", .no)
    case UInt8(ascii: "n"): try word("null", .null)
    default: throw fault(next == end ? "it ends where a value is expected" : "a value is expected")
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
        members &+= 1
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw fault("a comma or } is expected") }
    }
    leave(token, members)
    if members > 1, !isStored { hasRepeats = element(token).repeatsName || hasRepeats }
  }

  private mutating func array() throws(JSONFault) {
    let token = try enter(.array)
    var elements: UInt32 = 0
    if !take(UInt8(ascii: "]")) {
      repeat {
        try value()
        elements &+= 1
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "]")) else { throw fault("a comma or ] is expected") }
    }
    leave(token, elements)
  }

  private mutating func enter(_ kind: JSONToken.Kind) throws(JSONFault) -> Int {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit) }
    depth += 1
    append(kind, from: next)
    next += 1
    return tokens.count - 1
  }

  private mutating func leave(_ token: Int, _ length: UInt32) {
    depth -= 1
    tokens[token].length = length
    tokens[token].next = UInt32(truncatingIfNeeded: tokens.count)
  }

  /// Notes a token. There are fewer bytes, and so fewer tokens, than 32 bits count.
  @inline(__always)
  private mutating func append(_ kind: JSONToken.Kind, from first: UnsafePointer<UInt8>, length: Int = 0, isPlain: Bool = true) {
    tokens.append(
      JSONToken(
        start: UInt32(truncatingIfNeeded: first - start), length: UInt32(truncatingIfNeeded: length),
        next: UInt32(truncatingIfNeeded: tokens.count &+ 1), kind: kind, isPlain: isPlain))
  }

  private mutating func word(_ word: StaticString, _ kind: JSONToken.Kind) throws(JSONFault) {
    let length = word.utf8CodeUnitCount
    guard end - next >= length, JSONElement.areSame(next, word.utf8Start, length) else { throw fault("a value is expected") }
    append(kind, from: next)
    next += length
  }

  private mutating func number() throws(JSONFault) {
    let first = next
    if byte == UInt8(ascii: "-") { next += 1 }
    if byte == UInt8(ascii: "0") { next += 1 } else { try digits() }
    // 18 digits and a sign fit into an Int whatever they are.
    guard next - first <= 18, byte != UInt8(ascii: "."), byte | 0x20 != UInt8(ascii: "e") else { return try longNumber(from: first) }
    append(.number, from: first, length: next - first)
  }

  /// The rest of a number that has many digits, a fraction or an exponent.
  @inline(never)
  private mutating func longNumber(from first: UnsafePointer<UInt8>) throws(JSONFault) {
    if byte == UInt8(ascii: ".") {
      next += 1
      try digits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      next += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { next += 1 }
      try digits()
    }
    append(.number, from: first, length: next - first, isPlain: false)
    let text = String(decoding: UnsafeBufferPointer(start: first, count: next - first), as: UTF8.self)
    guard let number = Double(text), number.isFinite || isStored else { throw fault("the number before it is too large") }
  }

  @inline(__always)
  private mutating func digits() throws(JSONFault) {
    let first = next
    while UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { next += 1 }
    guard next > first else { throw fault("a digit is expected") }
  }

  /// The string that begins here.
  @inline(__always)
  private mutating func string() throws(JSONFault) {
    next += 1
    // Mostly it has no escape in it, and all of the text is ASCII.
    let rest = UnsafeBufferPointer(start: next, count: end - next)
    guard isASCII, let length = JSONEscape.first(in: rest, from: 0), rest[length] == UInt8(ascii: "\"") else { return try anyString() }
    append(.string, from: next, length: length)
    next += length + 1
  }

  /// A string whatever is in it; its quote is passed.
  @inline(never)
  private mutating func anyString() throws(JSONFault) {
    let rest = UnsafeBufferPointer(start: next, count: end - next)
    var isPlain = true
    var index = 0
    while let stop = JSONEscape.first(in: rest, from: index) {
      index = stop
      switch rest[stop] {
      case UInt8(ascii: "\""):
        isPlain = isPlain && (isASCII || UTF8.isASCII(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest[..<stop]))))
        append(.string, from: next, length: stop, isPlain: isPlain)
        next += stop + 1
        return
      case UInt8(ascii: "\\"):
        isPlain = false
        index += 1
        do throws(JSONEscape.Mistake) {
          _ = try JSONEscape.scalar(in: rest, at: &index)
        } catch {
          next += index
          throw fault(error.text)
        }
      default:
        next += stop
        throw fault("a control character in a string must be escaped")
      }
    }
    next = end
    throw fault("it ends inside a string")
  }

  /// The byte that comes next; 0, which stands nowhere outside of a string, at the end.
  @inline(__always)
  private var byte: UInt8 { next < end ? next.pointee : 0 }

  @inline(__always)
  private mutating func skipBlanks() {
    // Mostly there are none: whatever else comes is more than a blank.
    while byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { next += 1 }
  }

  /// Goes over one byte, blanks before it included, if it is there.
  @inline(__always)
  private mutating func take(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
    next += 1
    return true
  }

  /// The fault at the current position.
  private func fault(_ what: String) -> JSONFault {
    let before = UnsafeBufferPointer(start: start, count: min(next, end) - start)
    let line = before.count { $0 == 0x0A } + 1
    return .malformed(what, line: line, column: before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1)
  }
}
