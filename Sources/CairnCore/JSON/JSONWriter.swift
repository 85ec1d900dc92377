/// Appends JSON to a buffer of its own: UTF-8, compact, commas where they belong. Encoders of the library take a microsecond a member,
/// and an answer has a hundred of them. Who opens an object or an array closes it, and gives an object names and values in turn.
public struct JSONWriter: ~Copyable {
  /// Why what was written is no JSON.
  public enum Fault: Error, Hashable, Sendable {
    /// JSON has neither infinities nor a NaN.
    case noNumber
  }

  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes there are: the place of the next one.
  public private(set) var count = 0
  /// Where the next element, or the value behind a name, begins.
  public var next: Int { needsComma ? count + 1 : count }
  /// Something stands before, so that a comma has to come first.
  private var needsComma = false
  private var fault: Fault?

  /// `capacity`: the bytes that are expected; more find their place.
  public init(capacity: Int = 2_048) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// All that was written. Throws where a number was none.
  public func bytes() throws(Fault) -> [UInt8] {
    if let fault { throw fault }
    return Array(UnsafeBufferPointer(start: base, count: count))
  }

  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  public mutating func endObject() { close(UInt8(ascii: "}")) }

  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of the member whose value is written next; it must need no escape.
  public mutating func name(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    var place = begin(length + 3)
    place[0] = UInt8(ascii: "\"")
    place = Self.copy(name.utf8Start, length, to: place + 1)
    place[0] = UInt8(ascii: "\"")
    place[1] = UInt8(ascii: ":")
    end(place + 2)
    needsComma = false
  }

  /// The name of the member whose value is written next.
  public mutating func name(_ name: String) {
    string(name)
    reserve(1)
    put(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func null() { text("null") }

  public mutating func bool(_ value: Bool) { text(value ? "true" : "false") }

  public mutating func integer(_ value: Int) {
    beginValue(20)
    digits(of: value)
  }

  /// The shortest text that reads as the same number; a whole one without a fraction.
  public mutating func number(_ value: Double) {
    guard value.isFinite else {
      fault = .noNumber
      return null()
    }
    let text = value.description
    let digits = text.hasSuffix(".0") ? text.dropLast(2) : text[...]
    beginValue(digits.utf8.count)
    for byte in digits.utf8 { put(byte) }
  }

  /// A string of these bytes: ASCII without anything that must be escaped.
  public mutating func plain(_ text: UnsafeBufferPointer<UInt8>) {
    beginValue(text.count + 2)
    put(UInt8(ascii: "\""))
    if let start = text.baseAddress { copy(start, text.count) }
    put(UInt8(ascii: "\""))
  }

  /// A node's id, as a string.
  public mutating func id(_ id: NodeID) {
    beginValue(23)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: "n"))
    digits(of: id.number)
    put(UInt8(ascii: "\""))
  }

  /// A string; what must be escaped is (RFC 8259, 7), and nothing else.
  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var place = begin(bytes.count + 2)
      place[0] = UInt8(ascii: "\"")
      place += 1
      if let start = bytes.baseAddress {
        if let first = JSONEscape.first(in: bytes, from: 0) {
          end(place)
          return escaped(bytes, from: first)
        }
        place = Self.copy(start, bytes.count, to: place)
      }
      place[0] = UInt8(ascii: "\"")
      end(place + 1)
    }
  }

  /// A value that is JSON already, as it is.
  public mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    beginValue(bytes.count)
    if let start = bytes.baseAddress { copy(start, bytes.count) }
  }

  /// Once more the value that was written at `place` (from a `next` to the `count` behind it), as the value that comes next.
  public mutating func again(_ place: Range<Int>) {
    beginValue(place.count)
    copy(base + place.lowerBound, place.count)
  }

  /// A line's end behind everything.
  public mutating func endLine() {
    reserve(1)
    put(UInt8(ascii: "\n"))
  }

  private mutating func open(_ bracket: UInt8) {
    beginValue(1)
    put(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    reserve(1)
    put(bracket)
    needsComma = true
  }

  private mutating func text(_ text: StaticString) {
    beginValue(text.utf8CodeUnitCount)
    copy(text.utf8Start, text.utf8CodeUnitCount)
  }

  /// Makes room for so many bytes of a name or value, writes the comma before it and gives the place behind.
  @inline(__always)
  private mutating func begin(_ length: Int) -> UnsafeMutablePointer<UInt8> {
    reserve(length + 1)
    let place = base + count
    guard needsComma else {
      needsComma = true
      return place
    }
    place[0] = UInt8(ascii: ",")
    return place + 1
  }

  /// What was written goes up to here.
  @inline(__always)
  private mutating func end(_ place: UnsafeMutablePointer<UInt8>) { count = place - base }

  /// Makes room for a value of so many bytes and writes the comma before it.
  @inline(__always)
  private mutating func beginValue(_ length: Int) {
    reserve(length + 1)
    if needsComma { put(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func digits(of value: Int) {
    var rest = value.magnitude
    var length = 1
    var bound: UInt = 10
    while rest >= bound {
      length += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    if value < 0 { put(UInt8(ascii: "-")) }
    for place in stride(from: count + length - 1, through: count, by: -1) {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      base[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    }
    count += length
  }

  /// What has something to be escaped in it, for the first time at `first`, and the quote behind it.
  private mutating func escaped(_ bytes: UnsafeBufferPointer<UInt8>, from first: Int) {
    var done = 0
    var stop = Optional(first)
    while let next = stop {
      let escape = JSONEscape.text(of: bytes[next])
      reserve(next - done + escape.utf8.count)
      for byte in bytes[done..<next] { put(byte) }
      for byte in escape.utf8 { put(byte) }
      done = next + 1
      stop = JSONEscape.first(in: bytes, from: done)
    }
    reserve(bytes.count - done + 1)
    for byte in bytes[done...] { put(byte) }
    put(UInt8(ascii: "\""))
  }

  private mutating func copy(_ start: UnsafePointer<UInt8>, _ length: Int) { end(Self.copy(start, length, to: base + count)) }

  /// Most of what is written is a word: so few bytes are moved faster in two halves that overlap than by a call. Gives the place behind.
  @inline(__always)
  private static func copy(_ start: UnsafePointer<UInt8>, _ length: Int, to place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<
    UInt8
  > {
    let (from, to) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(place))
    switch length {
    case 17...: to.copyMemory(from: from, byteCount: length)
    case 8...:
      let last = from.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
      to.storeBytes(of: from.loadUnaligned(as: UInt64.self), as: UInt64.self)
      to.storeBytes(of: last, toByteOffset: length - 8, as: UInt64.self)
    case 4...:
      let last = from.loadUnaligned(fromByteOffset: length - 4, as: UInt32.self)
      to.storeBytes(of: from.loadUnaligned(as: UInt32.self), as: UInt32.self)
      to.storeBytes(of: last, toByteOffset: length - 4, as: UInt32.self)
    default: for index in 0..<length { place[index] = start[index] }
    }
    return place + length
  }

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    base[count] = byte
    count += 1
  }

  @inline(__always)
  private mutating func reserve(_ length: Int) {
    if capacity - count < length { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
