import CairnCore

/// Strict JSON read from bytes that were written here: what is not as it was written is a fault.
struct DiskReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0
  private var depth = 0
  /// Deeper than anything that is let in; a bound for the stack.
  private static let depthLimit = 500

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Reads all of some bytes with `read`.
  static func all<Result>(
    of bytes: [UInt8], _ read: (inout DiskReader) throws(UnreadableFormat) -> Result
  ) throws(UnreadableFormat) -> Result {
    // The reader goes no further than `read`, so its pointer is valid as long as it lives.
    try bytes.withUnsafeBufferPointer { bytes throws(UnreadableFormat) in
      var reader = DiskReader(bytes)
      let result = try read(&reader)
      try reader.end()
      return result
    }
  }

  /// Throws unless everything was read.
  private func end() throws(UnreadableFormat) {
    guard place == bytes.count else { throw fault("more than one value") }
  }

  /// Reads an object whose members the format names; `visit` reads the value of each.
  mutating func object(_ visit: (inout DiskReader, DiskName) throws(UnreadableFormat) -> Void) throws(UnreadableFormat) {
    try enter(0x7B)
    if take(0x7D) { return leave() }
    repeat {
      let name = DiskName(UnsafeBufferPointer(rebasing: try letters()))
      guard take(0x22), take(0x3A) else { throw fault("a colon is missing") }
      try visit(&self, name)
    } while take(0x2C)
    guard take(0x7D) else { throw fault("an object is not closed") }
    leave()
  }

  /// Reads an object whose names are data; `visit` reads the value of each member.
  mutating func members(_ visit: (inout DiskReader, String) throws(UnreadableFormat) -> Void) throws(UnreadableFormat) {
    try enter(0x7B)
    if take(0x7D) { return leave() }
    repeat {
      let name = try string()
      guard take(0x3A) else { throw fault("a colon is missing") }
      try visit(&self, name)
    } while take(0x2C)
    guard take(0x7D) else { throw fault("an object is not closed") }
    leave()
  }

  /// Reads an array; `visit` reads each element.
  mutating func array(_ visit: (inout DiskReader) throws(UnreadableFormat) -> Void) throws(UnreadableFormat) {
    try enter(0x5B)
    if take(0x5D) { return leave() }
    repeat { try visit(&self) } while take(0x2C)
    guard take(0x5D) else { throw fault("an array is not closed") }
    leave()
  }

  /// Reads the one value of an object or array of one: `{"_0": …}`.
  mutating func only<Result>(
    _ name: StaticString, _ read: (inout DiskReader) throws(UnreadableFormat) -> Result
  ) throws(UnreadableFormat) -> Result {
    var result: Result?
    try object { reader, member throws(UnreadableFormat) in
      guard name ~= member, result == nil else { throw reader.unknown(member) }
      result = try read(&reader)
    }
    guard let result else { throw missing(name) }
    return result
  }

  /// Whether a null stood there.
  mutating func null() -> Bool { take("null") }

  /// nil for null.
  mutating func optional<Result>(
    _ read: (inout DiskReader) throws(UnreadableFormat) -> Result
  ) throws(UnreadableFormat) -> Result? {
    null() ? nil : try read(&self)
  }

  mutating func bool() throws(UnreadableFormat) -> Bool {
    if take("true") { return true }
    guard take("false") else { throw fault("not a boolean") }
    return false
  }

  mutating func integer() throws(UnreadableFormat) -> Int {
    guard case .integer(let value) = try number() else { throw fault("not a whole number") }
    return value
  }

  /// A node's number.
  mutating func node() throws(UnreadableFormat) -> NodeID { NodeID(try integer()) }

  mutating func link() throws(UnreadableFormat) -> LinkID {
    guard let id = LinkID(try string()) else { throw fault("not a link's id") }
    return id
  }

  mutating func string() throws(UnreadableFormat) -> String {
    let plain = try letters()
    if take(0x22) { return try text(UnsafeBufferPointer(rebasing: plain)) }
    var unescaped = Array(plain)
    while place < bytes.count, bytes[place] != 0x22 {
      if bytes[place] == 0x5C {
        try escape(into: &unescaped)
      } else {
        unescaped.append(bytes[place])
        place += 1
      }
    }
    guard take(0x22) else { throw fault("a text is not closed") }
    return try unescaped.withUnsafeBufferPointer { letters throws(UnreadableFormat) in try text(letters) }
  }

  /// The letters of a text up to its end or its first escape.
  private mutating func letters() throws(UnreadableFormat) -> Slice<UnsafeBufferPointer<UInt8>> {
    guard take(0x22) else { throw fault("not a text") }
    let start = place
    while place < bytes.count, bytes[place] != 0x22, bytes[place] != 0x5C { place += 1 }
    guard place < bytes.count else { throw fault("a text is not closed") }
    return bytes[start..<place]
  }

  mutating func value() throws(UnreadableFormat) -> Value {
    switch peek {
    case 0x22: return .string(try string())
    case 0x7B: return .object(try values())
    case 0x5B:
      var elements: [Value] = []
      try array { reader throws(UnreadableFormat) in elements.append(try reader.value()) }
      return .array(elements)
    case 0x74, 0x66: return .bool(try bool())
    case 0x6E where null(): return .null
    default: return try number()
    }
  }

  /// The members of an object whose names are data.
  mutating func values() throws(UnreadableFormat) -> [String: Value] {
    var members: [String: Value] = [:]
    try self.members { reader, name throws(UnreadableFormat) in members[name] = try reader.value() }
    return members
  }

  func fault(_ reason: String) -> UnreadableFormat { UnreadableFormat(reason: "\(reason) at byte \(place)") }

  /// A member that this version does not know; its name is not shown, since it may be data.
  func unknown(_ member: DiskName) -> UnreadableFormat { fault("a member of \(member.count) letters is unknown") }

  func missing(_ member: StaticString) -> UnreadableFormat { fault("\(member) is missing") }

  private var peek: UInt8 { place < bytes.count ? bytes[place] : 0 }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    place += 1
    return true
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - place >= count else { return false }
    for index in 0..<count where bytes[place + index] != word.utf8Start[index] { return false }
    place += count
    return true
  }

  private mutating func enter(_ bracket: UInt8) throws(UnreadableFormat) {
    depth += 1
    guard depth <= Self.depthLimit else { throw fault("too deep") }
    guard take(bracket) else { throw fault(bracket == 0x7B ? "not an object" : "not an array") }
  }

  private mutating func leave() { depth -= 1 }

  private mutating func number() throws(UnreadableFormat) -> Value {
    let start = place
    var isWhole = true
    while place < bytes.count {
      switch bytes[place] {
      case 0x30...0x39, 0x2D: break
      case 0x2B, 0x2E, 0x45, 0x65: isWhole = false
      default: return try number(bytes[start..<place], isWhole)
      }
      place += 1
    }
    return try number(bytes[start..<place], isWhole)
  }

  private func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>, _ isWhole: Bool) throws(UnreadableFormat) -> Value {
    // Eighteen digits are no overflow.
    if isWhole, let first = digits.first, first != 0x2D, digits.count <= 18 {
      var value = 0
      for digit in digits {
        guard digit != 0x2D else { throw fault("not a number") }
        value = value * 10 + Int(digit - 0x30)
      }
      return .integer(value)
    }
    let text = String(decoding: digits, as: UTF8.self)
    if isWhole, let integer = Int(text) { return .integer(integer) }
    guard !text.isEmpty, let number = Double(text) else { throw fault("not a number") }
    return .number(number)
  }

  private func text(_ utf8: UnsafeBufferPointer<UInt8>) throws(UnreadableFormat) -> String {
    // Mostly it is ASCII, which needs no further look.
    if utf8.allSatisfy({ $0 < 0x80 }) {
      return String(unsafeUninitializedCapacity: utf8.count) { $0.update(fromContentsOf: utf8) }
    }
    guard let text = String(validating: utf8, as: UTF8.self) else { throw fault("not UTF-8") }
    return text
  }

  /// The place is a backslash.
  private mutating func escape(into text: inout [UInt8]) throws(UnreadableFormat) {
    place += 2
    guard place <= bytes.count else { throw fault("a text is not closed") }
    switch bytes[place - 1] {
    case 0x22, 0x5C, 0x2F: text.append(bytes[place - 1])
    case 0x62: text.append(0x08)
    case 0x66: text.append(0x0C)
    case 0x6E: text.append(0x0A)
    case 0x72: text.append(0x0D)
    case 0x74: text.append(0x09)
    case 0x75: text += Array(String(try scalar()).utf8)
    default: throw fault("an unknown escape")
    }
  }

  /// The four digits behind `\u`, and the second half of a pair.
  private mutating func scalar() throws(UnreadableFormat) -> Unicode.Scalar {
    var code = try unit()
    if (0xD800..<0xDC00).contains(code) {
      guard take("\\u") else { throw fault("half a pair") }
      let low = try unit()
      guard (0xDC00..<0xE000).contains(low) else { throw fault("half a pair") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw fault("half a pair") }
    return scalar
  }

  private mutating func unit() throws(UnreadableFormat) -> UInt32 {
    guard bytes.count - place >= 4, let code = UInt32(String(decoding: bytes[place..<(place + 4)], as: UTF8.self), radix: 16)
    else { throw fault("an unknown escape") }
    place += 4
    return code
  }
}
