/// Writes compact UTF-8 JSON to a buffer and inserts the commas. The standard library's encoders take a microsecond per member, and a response has
/// about a hundred members. The caller must close each object and array that it opens, and must write names and values in turn.
public struct JSONWriter: ~Copyable {
  var buffer: JSONBuffer
  /// Whether a comma must precede the next value.
  private var needsComma = false
  /// Set once a non-finite number, which JSON cannot represent, has been written.
  private var isBroken = false
  /// Whether the text will be read only by `JSONDocument`, and not by clients.
  private(set) var isStored = false
  /// Whether the members of dictionaries are sorted by name.
  private(set) var isSorted = true
  /// The sets that were written by name; `nil` if the writer writes every set as its values.
  var notedSets: [String: ValueSet]?

  /// Creates a writer. `capacity` is the expected number of bytes; the buffer grows if necessary. A usual response fits in the default.
  /// glibc caches blocks of this size per thread; allocating a larger one takes ten times as long.
  public init(capacity: Int = 1_024) { buffer = JSONBuffer(capacity: capacity) }

  private init(in room: UnsafeMutableBufferPointer<UInt8>) { buffer = JSONBuffer(in: room) }

  /// Returns the bytes that `write` writes. `expected` is an upper estimate of their number; small texts are written on the stack. Throws if `write` writes an
  /// infinity or a NaN.
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

  /// Returns the bytes that `write` writes, to be parsed with `isStored`. This form is fast and keeps values exact: members of dictionaries are
  /// sorted only if `isSorted` is set, and a number that is not an integer keeps its fraction. An infinity is written as a number that is too large,
  /// and a NaN as `null`. With `notesSets`, sets are written by name, and collected in `notedSets`.
  package static func stored(isSorted: Bool = false, notesSets: Bool = false, _ write: (inout JSONWriter) -> Void) -> [UInt8] {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: stackRoom) { room in
      var writer = JSONWriter(in: room)
      writer.isStored = true
      writer.isSorted = isSorted
      if notesSets { writer.notedSets = [:] }
      write(&writer)
      return writer.buffer.bytes
    }
  }

  /// The number of bytes that a temporary allocation takes from the stack.
  private static var stackRoom: Int { 1_024 }

  /// The number of bytes written.
  public var count: Int { buffer.count }

  /// The offset of the next element, or of the value of the member just named.
  public var next: Int { needsComma ? count + 1 : count }

  /// Returns all bytes. Throws if an infinity or a NaN was written.
  public func bytes() throws(UnwritableNumber) -> [UInt8] {
    guard !isBroken else { throw UnwritableNumber.notFinite }
    return buffer.bytes
  }

  /// Begins an object.
  @inline(__always)
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the innermost open object.
  @inline(__always)
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Begins an array.
  @inline(__always)
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the innermost open array.
  @inline(__always)
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes the name of the next member. The name must not need an escape.
  @inline(__always)
  public mutating func name(_ name: StaticString) {
    buffer.reserve(name.utf8CodeUnitCount + 4)
    buffer.put(UInt8(ascii: ","), if: needsComma)
    buffer.put(UInt8(ascii: "\""))
    buffer.put(name)
    buffer.put("\":")
    needsComma = false
  }

  /// Writes the name of the next member, given as data. Not an overload of `name`, because a literal would then be taken as a `String`.
  public mutating func key(_ name: String) {
    string(name)
    buffer.reserve(1)
    buffer.put(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes `null`.
  public mutating func null() { text("null") }

  /// Writes a boolean.
  public mutating func bool(_ value: Bool) { text(value ? "true" : "false") }

  /// Writes an integer.
  public mutating func integer(_ value: WideInt) {
    begin(20)
    buffer.digits(of: value)
  }

  /// Writes the shortest text that is parsed as the same number. Omits the fraction of a whole number.
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

  /// Writes a word of the format as a string. The word must not need an escape.
  @inline(__always)
  mutating func word(_ text: String) { text.withBytes { plain($0) } }

  /// Writes a word that is known at compile time.
  @inline(__always)
  mutating func word(_ text: StaticString) { plain(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)) }

  /// Writes a string of ASCII bytes that need no escape.
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

  /// Writes a string. Only characters that must be escaped are escaped (RFC 8259, 7).
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

  /// Writes a value that is already JSON, unchanged.
  @inline(__always)
  public mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    begin(bytes.count)
    if let start = bytes.baseAddress { buffer.put(start, bytes.count) }
  }

  /// Writes an array of bytes that are already JSON, unchanged.
  @inline(__always)
  public mutating func raw(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { raw($0) }
  }

  /// Writes an earlier value once more. `place` is the range of the bytes that the value had when it was first written.
  public mutating func again(_ place: Range<Int>) {
    begin(place.count)
    buffer.again(place)
  }

  /// Appends a line feed.
  public mutating func endLine() {
    buffer.reserve(1)
    buffer.put(UInt8(ascii: "\n"))
  }

  /// Writes the first piece of a frequent value that is assembled by hand, preceded by a comma if necessary. The caller appends the other
  /// pieces to `buffer`.
  @inline(__always)
  mutating func beginPieces(_ text: StaticString) {
    begin(text.utf8CodeUnitCount)
    buffer.put(text)
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

  /// Reserves `length` bytes for a name or value and writes the comma before it.
  @inline(__always)
  private mutating func begin(_ length: Int) {
    buffer.reserve(length + 1)
    buffer.put(UInt8(ascii: ","), if: needsComma)
    needsComma = true
  }

  /// Writes a string that contains characters to be escaped.
  @inline(never)
  private mutating func escaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    var done = 0
    while let next = JSONEscape.first(in: bytes, from: done) {
      let escape = JSONEscape.text(of: bytes[next], isShort: !isStored)
      // Memory for the rest of the text is already reserved, but not for the escape.
      buffer.reserve(bytes.count - done + escape.utf8.count + 1)
      for byte in bytes[done..<next] { buffer.put(byte) }
      for byte in escape.utf8 { buffer.put(byte) }
      done = next + 1
    }
    for byte in bytes[done...] { buffer.put(byte) }
  }
}

extension String {
  /// Calls `body` with the UTF-8 bytes. A string with contiguous storage is not copied.
  @inline(__always)
  fileprivate func withBytes(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    if utf8.withContiguousStorageIfAvailable(body) == nil {
      var text = self
      text.withUTF8(body)
    }
  }
}
