/// Appends JSON to a buffer of its own: UTF-8, compact, commas where they belong. Encoders of the library take a microsecond a member,
/// and an answer has a hundred of them. Who opens an object or an array closes it, and gives an object names and values in turn.
public struct JSONWriter: ~Copyable {
  private var buffer: JSONBuffer
  /// Something stands before, so that a comma has to come first.
  private var needsComma = false
  /// Set once a non-finite number, which JSON cannot represent, has been written.
  private var isBroken = false
  /// Whether it writes for `JSONDocument` only, and not for clients.
  private(set) var isStored = false

  /// `capacity`: the expected number of bytes; more are possible. A usual response fits in the default, which is as much as glibc caches
  /// per thread: a larger block takes ten times as long.
  public init(capacity: Int = 1_024) { buffer = JSONBuffer(capacity: capacity) }

  private init(in room: UnsafeMutableBufferPointer<UInt8>) { buffer = JSONBuffer(in: room) }

  /// The bytes that `write` writes. `expected`: an upper estimate of their number; small ones are written on the stack. Throws for a number
  /// that JSON cannot represent.
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

  /// All that `write` writes, to be read again here with `isStored`: as exactly as it was, and as fast. Members of a dictionary come in its
  /// order; a number that is no integer keeps its fraction, an infinity is a number that is too large, what is no number is null.
  package static func stored(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stackRoom) { room in
      var writer = JSONWriter(in: room)
      writer.isStored = true
      write(&writer)
      return writer.buffer.bytes
    }
  }

  /// As much as a temporary allocation takes from the stack.
  private static var stackRoom: Int { 1_024 }

  /// How many bytes there are.
  public var count: Int { buffer.count }

  /// Where the next element, or the value behind a name, begins.
  public var next: Int { needsComma ? count + 1 : count }

  /// All bytes that were written. Throws for a number that JSON cannot represent.
  public func bytes() throws(UnwritableNumber) -> [UInt8] {
    guard !isBroken else { throw UnwritableNumber.notFinite }
    return buffer.bytes
  }

  /// Opens an object.
  @inline(__always)
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the object that is open.
  @inline(__always)
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array.
  @inline(__always)
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the array that is open.
  @inline(__always)
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of the member whose value is written next; it must need no escape.
  @inline(__always)
  public mutating func name(_ name: StaticString) {
    buffer.reserve(name.utf8CodeUnitCount + 4)
    buffer.put(UInt8(ascii: ","), if: needsComma)
    buffer.put(UInt8(ascii: "\""))
    buffer.put(name)
    buffer.put("\":")
    needsComma = false
  }

  /// The name of the member whose value is written next, where it is data. No second `name`: a literal would be taken for a `String`.
  public mutating func key(_ name: String) {
    string(name)
    buffer.reserve(1)
    buffer.put(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Nothing.
  public mutating func null() { text("null") }

  /// True or false.
  public mutating func bool(_ value: Bool) { text(value ? "true" : "false") }

  /// A whole number.
  public mutating func integer(_ value: WideInt) {
    begin(20)
    buffer.digits(of: value)
  }

  /// The shortest text that reads as the same number; a whole one without a fraction.
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

  /// A word of the format, as a string: it must need no escape.
  @inline(__always)
  mutating func word(_ text: String) { text.withBytes { plain($0) } }

  /// The same of a word that is known here.
  @inline(__always)
  mutating func word(_ text: StaticString) { plain(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

  /// A string of these bytes: ASCII without anything that must be escaped.
  public mutating func plain(_ text: UnsafeBufferPointer<UInt8>) {
    begin(text.count + 2)
    buffer.put(UInt8(ascii: "\""))
    if let start = text.baseAddress { buffer.put(start, text.count) }
    buffer.put(UInt8(ascii: "\""))
  }

  /// An identifier, as a string.
  public mutating func id<FeedMessage>(_ id: Identifier<FeedMessage>) {
    begin(23)
    buffer.put(UInt8(ascii: "\""))
    buffer.put(FeedMessage.letter)
    buffer.digits(of: id.number)
    buffer.put(UInt8(ascii: "\""))
  }

  /// Writes a string; only characters that must be escaped are (RFC 8259, 7).
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

  /// A value that is JSON already, as it is.
  @inline(__always)
  public mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    begin(bytes.count)
    if let start = bytes.baseAddress { buffer.put(start, bytes.count) }
  }

  /// The same of an array's bytes.
  @inline(__always)
  public mutating func raw(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { raw($0) }
  }

  /// Once more the value that was written at `place` (from a `next` to the `count` behind it), as the value that comes next.
  public mutating func again(_ place: Range<Int>) {
    begin(place.count)
    buffer.again(place)
  }

  /// A line's end behind everything.
  public mutating func endLine() {
    buffer.reserve(1)
    buffer.put(UInt8(ascii: "\n"))
  }

  // Pieces: for what is written so often that it is put together by hand. Commas are the caller's.

  /// The first piece of a value, with the comma that stands before that.
  @inline(__always)
  mutating func beginPieces(_ text: StaticString) {
    begin(text.utf8CodeUnitCount)
    buffer.put(text)
  }

  /// A piece of JSON as it is.
  @inline(__always)
  mutating func piece(_ text: StaticString) {
    buffer.reserve(text.utf8CodeUnitCount)
    buffer.put(text)
  }

  /// The same of bytes that were written before.
  @inline(__always)
  mutating func piece(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    buffer.reserve(bytes.count)
    buffer.put(start, bytes.count)
  }

  /// The digits of a number.
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

  /// Makes room for so many bytes of a name or value and writes the comma before it.
  @inline(__always)
  private mutating func begin(_ length: Int) {
    buffer.reserve(length + 1)
    buffer.put(UInt8(ascii: ","), if: needsComma)
    needsComma = true
  }

  /// Writes a text with a character that must be escaped.
  @inline(never)
  private mutating func escaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    var done = 0
    while let next = JSONEscape.first(in: bytes, from: done) {
      let escape = JSONEscape.text(of: bytes[next], isShort: !isStored)
      // The text behind it has room already, but not its escape.
      buffer.reserve(bytes.count - done + escape.utf8.count + 1)
      for byte in bytes[done..<next] { buffer.put(byte) }
      for byte in escape.utf8 { buffer.put(byte) }
      done = next + 1
    }
    for byte in bytes[done...] { buffer.put(byte) }
  }
}

extension String {
  /// Its UTF-8, which is mostly there as it is: then the string is not copied.
  @inline(__always)
  fileprivate func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if utf8.withContiguousStorageIfAvailable(body) == nil {
      var text = self
      text.withUTF8(body)
    }
  }
}
