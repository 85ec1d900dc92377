/// Encodes JSON as compact UTF-8 into a buffer. The library's encoders take a microsecond per member, and a response has about a hundred. The caller
/// must close each object and array that it opens, and must alternate names and values in objects.
public struct JSONWriter: ~Copyable {
  private var buffer: JSONBuffer
  /// Whether the next value must be preceded by a comma.
  private var needsComma = false
  /// Set once a non-finite number, which JSON cannot represent, has been written.
  private var isBroken = false
  /// Whether the JSON is only read by `JSONDocument`, and not by clients.
  private(set) var isStored = false

  /// `capacity` is the expected number of bytes, which may be exceeded. A usual response fits into the default, the largest block that glibc caches
  /// per thread; allocating a larger block takes ten times as long.
  public init(capacity: Int = 1_024) { buffer = JSONBuffer(capacity: capacity) }

  private init(in room: UnsafeMutableBufferPointer<UInt8>) { buffer = JSONBuffer(in: room) }

  /// The bytes that `write` writes. `expected` is an upper estimate of their number; short texts are written on the stack. Throws if a number cannot
  /// be represented in JSON.
  package static func bytes(expected: Int, _ write: (inout JSONWriter) -> Void) throws(UnwritableNumber) -> [UInt8] {
    guard expected <= stackRoom else {
      var writer = JSONWriter(capacity: expected)
      write(&writer)
      return try writer.bytes()
    }
    let bytes = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stackRoom) { room in
      var writer = JSONWriter(in: room)
      write(&writer)
      return try? writer.bytes()
    }
    guard let bytes else { throw .notFinite }
    return bytes
  }

  /// The bytes that `write` writes, in the form that is read with `isStored`. It preserves values exactly and is faster: dictionaries are not sorted,
  /// numbers that are not integers keep a fraction, an infinity becomes a number that is too large, and NaN becomes null.
  package static func stored(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stackRoom) { room in
      var writer = JSONWriter(in: room)
      writer.isStored = true
      write(&writer)
      return writer.buffer.bytes
    }
  }

  /// The number of bytes that a temporary allocation takes from the stack.
  private static var stackRoom: Int { 1_024 }

  /// The number of bytes.
  public var count: Int { buffer.count }

  /// The offset at which the next element, or the value after a name, begins.
  public var next: Int { needsComma ? count + 1 : count }

  /// All bytes. Throws if a number could not be represented in JSON.
  public func bytes() throws(UnwritableNumber) -> [UInt8] {
    guard !isBroken else { throw UnwritableNumber.notFinite }
    return buffer.bytes
  }

  /// Begins an object.
  @inline(__always)
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Ends an object.
  @inline(__always)
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Begins an array.
  @inline(__always)
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Ends an array.
  @inline(__always)
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes the name of a member, which must need no escape.
  @inline(__always)
  public mutating func name(_ name: StaticString) {
    buffer.reserve(name.utf8CodeUnitCount + 4)
    buffer.put(UInt8(ascii: ","), if: needsComma)
    buffer.put(UInt8(ascii: "\""))
    buffer.put(name)
    buffer.put("\":")
    needsComma = false
  }

  /// Writes the name of a member that is data. Not an overload of `name`, because a literal would be taken for a `String`.
  public mutating func key(_ name: String) {
    string(name)
    buffer.reserve(1)
    buffer.put(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes null.
  public mutating func null() { text("null") }

  /// Writes a boolean.
  public mutating func bool(_ value: Bool) { text(value ? "true" : "false") }

  /// Writes an integer.
  public mutating func integer(_ value: WideInt) {
    begin(20)
    buffer.digits(of: value)
  }

  /// Writes the shortest text that is read as the same number, without a fraction if it is integral.
  public mutating func number(_ value: Double) {
    guard value.isFinite || isStored && !value.isNaN else {
      isBroken = true
      return null()
    }
    let text = value.isFinite ? value.description : value < 0 ? "-1e999" : "1e999"
    let digits = text.hasSuffix(".0") && !isStored ? text.dropLast(2) : text[...]
    begin(digits.utf8.count)
    for byte in digits.utf8 { buffer.put(byte) }
  }

  /// Writes a word of the format as a string. It must need no escape.
  @inline(__always)
  mutating func word(_ text: String) { text.withBytes { plain($0) } }

  /// Writes a constant word of the format as a string.
  @inline(__always)
  mutating func word(_ text: StaticString) { plain(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

  /// Writes a string of these bytes, which must be ASCII and need no escape.
  public mutating func plain(_ text: UnsafeBufferPointer<UInt8>) {
    begin(text.count + 2)
    buffer.put(UInt8(ascii: "\""))
    if let start = text.baseAddress { buffer.put(start, text.count) }
    buffer.put(UInt8(ascii: "\""))
  }

  /// Writes an identifier as a string.
  public mutating func id<Letter>(_ id: Identifier<Letter>) {
    begin(23)
    buffer.put(UInt8(ascii: "\""))
    buffer.put(Letter.letter)
    buffer.digits(of: id.number)
    buffer.put(UInt8(ascii: "\""))
  }

  /// Writes a string, and escapes only the characters that require it (RFC 8259, 7).
  public mutating func string(_ text: String) {
    text.withBytes { bytes in
      begin(bytes.count + 2)
      buffer.put(UInt8(ascii: "\""))
      if JSONEscape.isNeeded(in: bytes) {
        escaped(bytes)
      } else if let start = bytes.baseAddress {
        buffer.put(start, bytes.count)
      }
      buffer.put(UInt8(ascii: "\""))
    }
  }

  /// Writes a value that has been encoded before.
  @inline(__always)
  public mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    begin(bytes.count)
    if let start = bytes.baseAddress { buffer.put(start, bytes.count) }
  }

  /// Writes a value that has been encoded before, from an array.
  @inline(__always)
  public mutating func raw(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { raw($0) }
  }

  /// Writes a value again that was written at `place`, the range from `next` before it to `count` after it.
  public mutating func again(_ place: Range<Int>) {
    begin(place.count)
    buffer.again(place)
  }

  /// Appends a line break.
  public mutating func endLine() {
    buffer.reserve(1)
    buffer.put(UInt8(ascii: "\n"))
  }

  // Parts: for texts that are written so often that they are composed by hand. The caller writes the commas.

  /// Writes the first part of a value, with the comma before the value.
  @inline(__always)
  mutating func beginPieces(_ text: StaticString) {
    begin(text.utf8CodeUnitCount)
    buffer.put(text)
  }

  /// Writes a part of JSON.
  @inline(__always)
  mutating func piece(_ text: StaticString) {
    buffer.reserve(text.utf8CodeUnitCount)
    buffer.put(text)
  }

  /// Writes a part that has been encoded before.
  @inline(__always)
  mutating func piece(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    buffer.reserve(bytes.count)
    buffer.put(start, bytes.count)
  }

  /// Writes the digits of a number.
  @inline(__always)
  mutating func digitsPiece(_ number: Int32) {
    buffer.reserve(20)
    buffer.digits(of: WideInt(number))
  }

  @inline(__always)
  private mutating func open(_ bracket: UInt8) {
    begin(1)
    buffer.put(bracket)
    needsComma = false
  }

  @inline(__always)
  private mutating func close(_ bracket: UInt8) {
    buffer.reserve(1)
    buffer.put(bracket)
    needsComma = true
  }

  private mutating func text(_ text: StaticString) {
    begin(text.utf8CodeUnitCount)
    buffer.put(text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Reserves room for the bytes of a name or value, and writes the comma before it.
  @inline(__always)
  private mutating func begin(_ length: Int) {
    buffer.reserve(length + 1)
    buffer.put(UInt8(ascii: ","), if: needsComma)
    needsComma = true
  }

  /// Writes a text with characters that must be escaped.
  @inline(never)
  private mutating func escaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    var done = 0
    while let next = JSONEscape.first(in: bytes, from: done) {
      let escape = JSONEscape.text(of: bytes[next], isShort: !isStored)
      // Room has been reserved for the rest of the text, but not for the escape.
      buffer.reserve(bytes.count - done + escape.utf8.count + 1)
      for byte in bytes[done..<next] { buffer.put(byte) }
      for byte in escape.utf8 { buffer.put(byte) }
      done = next + 1
    }
    for byte in bytes[done...] { buffer.put(byte) }
  }
}

extension String {
  /// Passes the UTF-8 bytes to `body`. In most cases the string is not copied.
  @inline(__always)
  fileprivate func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if utf8.withContiguousStorageIfAvailable(body) == nil {
      var text = self
      text.withUTF8(body)
    }
  }
}
