/// Parses JSON into tokens, strictly according to RFC 8259. Foundation's decoder accepts texts that a server must reject: texts with
/// trailing commas, unlimited depth or repeated members. Values are converted only on request.
struct JSONReader: ~Copyable {
  private let start: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>
  private let isASCII: Bool
  private var tokens: JSONTokens
  private let depthLimit: Int
  private let valueLimit: Int
  /// Whether `JSONWriter.stored` wrote the text. If so, no member is repeated, and a number may be too large for a `Double`.
  private let isStored: Bool
  /// The next byte to read.
  private var next: UnsafePointer<UInt8>
  private var depth = 0
  /// Whether any object read so far has a repeated member.
  private var hasRepeats = false

  /// The text must be UTF-8. `room` is the initial memory for the tokens.
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

  /// Parses the text, which must contain exactly one value.
  mutating func readDocument() throws(JSONFault) {
    try value()
    skipBlanks()
    guard next == end else { throw fault("unexpected text after the value") }
    guard hasRepeats else { return }
    var repeats = JSONElement.Repeats()
    element(0).note(&repeats)
    throw .repeated(repeats.pointers, count: repeats.count)
  }

  /// Passes the parsed value to `body`. Its tokens exist as long as this reader, and therefore during the call.
  borrowing func withRoot<Result, Failure: Error>(_ body: (JSONElement) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(element(0))
  }

  /// The element that starts at a token.
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
    default: throw fault(next == end ? "the text ends where a value is expected" : "expected a value")
    }
  }

  private mutating func object() throws(JSONFault) {
    let token = try enter(.object)
    var members: UInt32 = 0
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipBlanks()
        guard byte == UInt8(ascii: "\"") else { throw fault("expected a member's name in quotes") }
        try string()
        guard take(UInt8(ascii: ":")) else { throw fault("expected a colon") }
        try value()
        members &+= 1
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw fault("expected a comma or }") }
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
      guard take(UInt8(ascii: "]")) else { throw fault("expected a comma or ]") }
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

  /// Appends a token. A text has fewer than 2³² bytes, and therefore fewer than 2³² tokens.
  @inline(__always)
  private mutating func append(_ kind: JSONToken.Kind, from first: UnsafePointer<UInt8>, length: Int = 0, isPlain: Bool = true) {
    tokens.append(
      JSONToken(
        start: UInt32(truncatingIfNeeded: first - start), length: UInt32(truncatingIfNeeded: length),
        next: UInt32(truncatingIfNeeded: tokens.count &+ 1), kind: kind, isPlain: isPlain))
  }

  private mutating func word(_ word: StaticString, _ kind: JSONToken.Kind) throws(JSONFault) {
    let length = word.utf8CodeUnitCount
    guard end - next >= length, JSONElement.areSame(next, word.utf8Start, length) else { throw fault("expected a value") }
    append(kind, from: next)
    next += length
  }

  private mutating func number() throws(JSONFault) {
    let first = next
    if byte == UInt8(ascii: "-") { next += 1 }
    if byte == UInt8(ascii: "0") { next += 1 } else { try digits() }
    // 18 characters always fit into a 64-bit integer.
    guard next - first <= 18, byte != UInt8(ascii: "."), byte | 0x20 != UInt8(ascii: "e") else { return try longNumber(from: first) }
    append(.number, from: first, length: next - first)
  }

  /// Parses the rest of a number with many digits, a fraction or an exponent.
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
    guard let number = Double(text), number.isFinite || isStored else { throw fault("the number is too large") }
  }

  @inline(__always)
  private mutating func digits() throws(JSONFault) {
    let first = next
    while UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { next += 1 }
    guard next > first else { throw fault("expected a digit") }
  }

  /// Parses the string that starts at the next byte.
  @inline(__always)
  private mutating func string() throws(JSONFault) {
    next += 1
    // Fast path: the text is ASCII, and the string has no escapes.
    let rest = UnsafeBufferPointer(start: next, count: end - next)
    guard isASCII, let length = JSONEscape.first(in: rest, from: 0), rest[length] == UInt8(ascii: "\"") else { return try anyString() }
    append(.string, from: next, length: length)
    next += length + 1
  }

  /// Parses a string with any content. Its opening quote has been read.
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
    throw fault("the text ends inside a string")
  }

  /// The next byte; 0 at the end of the text. A 0 byte is invalid outside strings.
  @inline(__always)
  private var byte: UInt8 { next < end ? next.pointee : 0 }

  @inline(__always)
  private mutating func skipBlanks() {
    // Usually no blanks follow, and the first comparison ends the loop.
    while byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { next += 1 }
  }

  /// Skips blanks, and then the next byte if it is `wanted`. Returns whether that byte was skipped.
  @inline(__always)
  private mutating func take(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
    next += 1
    return true
  }

  /// A fault at the current position.
  private func fault(_ what: String) -> JSONFault {
    let before = UnsafeBufferPointer(start: start, count: min(next, end) - start)
    let line = before.count { $0 == 0x0A } + 1
    return .malformed(what, line: line, column: before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1)
  }
}
