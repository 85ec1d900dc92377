/// Appends JSON to a buffer of its own: UTF-8, compact, commas where they belong. Encoders of the library take a microsecond a member,
/// and an answer has a hundred of them. Who opens an object or an array closes it, and gives an object names and values in turn.
package struct JSONWriter: ~Copyable {
  /// Why what was written is no JSON.
  package enum Fault: Error, Hashable, Sendable {
    /// JSON has neither infinities nor a NaN.
    case noNumber
  }

  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes there are: the place of the next one.
  package private(set) var count = 0
  /// Something stands before, so that a comma has to come first.
  private var needsComma = false
  private var fault: Fault?

  /// `capacity`: the bytes that are expected; more find their place.
  package init(capacity: Int = 2_048) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// All that was written. Throws where a number was none.
  package func bytes() throws(Fault) -> [UInt8] {
    if let fault { throw fault }
    return Array(UnsafeBufferPointer(start: base, count: count))
  }

  package mutating func beginObject() { open(UInt8(ascii: "{")) }

  package mutating func endObject() { close(UInt8(ascii: "}")) }

  package mutating func beginArray() { open(UInt8(ascii: "[")) }

  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// The name of the member whose value is written next; it must need no escape.
  package mutating func name(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    reserve(length + 4)
    var place = base + count
    if needsComma {
      place.pointee = UInt8(ascii: ",")
      place += 1
    }
    place.pointee = UInt8(ascii: "\"")
    (place + 1).update(from: name.utf8Start, count: length)
    place += length + 1
    place[0] = UInt8(ascii: "\"")
    place[1] = UInt8(ascii: ":")
    count = place + 2 - base
    needsComma = false
  }

  /// The name of the member whose value is written next.
  package mutating func name(_ name: String) {
    string(name)
    reserve(1)
    put(UInt8(ascii: ":"))
    needsComma = false
  }

  package mutating func null() { text("null") }

  package mutating func bool(_ value: Bool) { text(value ? "true" : "false") }

  package mutating func integer(_ value: Int) {
    beginValue(20)
    digits(of: value)
  }

  /// The shortest text that reads as the same number; a whole one without a fraction.
  package mutating func number(_ value: Double) {
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
  package mutating func plain(_ text: UnsafeBufferPointer<UInt8>) {
    beginValue(text.count + 2)
    put(UInt8(ascii: "\""))
    if let start = text.baseAddress { copy(start, text.count) }
    put(UInt8(ascii: "\""))
  }

  /// A node's id, as a string.
  package mutating func id(_ id: NodeID) {
    beginValue(23)
    put(UInt8(ascii: "\""))
    put(UInt8(ascii: "n"))
    digits(of: id.number)
    put(UInt8(ascii: "\""))
  }

  /// A string; what must be escaped is (RFC 8259, 7), and nothing else.
  package mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      beginValue(bytes.count + 2)
      put(UInt8(ascii: "\""))
      escaped(bytes)
      reserve(1)
      put(UInt8(ascii: "\""))
    }
  }

  /// A value that is JSON already, as it is.
  package mutating func raw(_ bytes: UnsafeBufferPointer<UInt8>) {
    beginValue(bytes.count)
    if let start = bytes.baseAddress { copy(start, bytes.count) }
  }

  /// Once more the value that was written at `place` (a `count` of before), as the value that comes next.
  package mutating func again(_ place: Range<Int>) {
    beginValue(place.count)
    copy(base + place.lowerBound, place.count)
  }

  /// A line's end behind everything.
  package mutating func endLine() {
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

  /// Makes room for a value of so many bytes and writes the comma before it.
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

  private mutating func escaped(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    var done = 0
    while let next = JSONEscape.first(in: bytes, from: done) {
      let escape = JSONEscape.text(of: bytes[next])
      reserve(bytes.count - done + escape.utf8.count + 6)
      copy(start + done, next - done)
      for byte in escape.utf8 { put(byte) }
      done = next + 1
    }
    copy(start + done, bytes.count - done)
  }

  private mutating func copy(_ start: UnsafePointer<UInt8>, _ length: Int) {
    (base + count).update(from: start, count: length)
    count += length
  }

  private mutating func put(_ byte: UInt8) {
    base[count] = byte
    count += 1
  }

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
