import CairnCore

/// JSON appended to bytes, for the disk. Who writes an object or an array closes it.
struct DiskWriter: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity = 512
  private var count = 0
  /// Whether the next member or element is the first of its object or array.
  private var isFirst = true

  init() { base = .allocate(capacity: capacity) }

  deinit { base.deallocate() }

  /// A copy of what was written.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  /// `{` or `[`.
  mutating func open(_ bracket: Unicode.Scalar) {
    append(bracket)
    isFirst = true
  }

  /// `}` or `]`.
  mutating func close(_ bracket: Unicode.Scalar) {
    append(bracket)
    isFirst = false
  }

  /// A member's name; a value has to follow. Names of the format itself need no escape.
  mutating func name(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    reserve(length + 4)
    if !isFirst { put(0x2C) }
    isFirst = false
    put(0x22)
    put(name.utf8Start, length)
    put(0x22)
    put(0x3A)
  }

  /// A member whose name is data.
  mutating func name(_ name: String) {
    separate()
    text(name)
    append(":")
  }

  /// Comes before each element of an array.
  mutating func separate() {
    if !isFirst { append(",") }
    isFirst = false
  }

  mutating func null() { word("null") }

  mutating func write(_ value: Bool) { word(value ? "true" : "false") }

  mutating func write(_ value: Int) {
    reserve(20)
    if value < 0 { put(0x2D) }
    var rest = value.magnitude
    let start = count
    repeat {
      put(UInt8(truncatingIfNeeded: 48 + rest % 10))
      rest /= 10
    } while rest > 0
    let digits = UnsafeMutableBufferPointer(start: base + start, count: count - start)
    for place in 0..<(digits.count / 2) { digits.swapAt(place, digits.count - 1 - place) }
  }

  /// Infinity as a number that is too large, as which it is read again; what is no number as null.
  mutating func write(_ value: Double) {
    if value.isNaN {
      null()
    } else {
      var text = value.isFinite ? value.description : value < 0 ? "-1e999" : "1e999"
      text.withUTF8 { put(all: $0) }
    }
  }

  mutating func write(_ value: String) { text(value) }

  mutating func write(_ value: NodeID) { write(value.number) }

  mutating func write(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let value): write(value)
    case .integer(let value): write(value)
    case .number(let value): write(value)
    case .string(let value): write(value)
    case .array(let elements):
      open("[")
      for element in elements {
        separate()
        write(element)
      }
      close("]")
    case .object(let members): write(members)
    }
  }

  mutating func write(_ members: [String: Value]) {
    open("{")
    for (key, value) in members {
      name(key)
      write(value)
    }
    close("}")
  }

  private mutating func text(_ text: String) {
    append("\"")
    var text = text
    text.withUTF8 { utf8 in
      var rest = utf8[...]
      while let place = rest.firstIndex(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) {
        put(all: UnsafeBufferPointer(rebasing: rest[..<place]))
        escape(utf8[place])
        rest = rest[(place + 1)...]
      }
      put(all: UnsafeBufferPointer(rebasing: rest))
    }
    append("\"")
  }

  private mutating func escape(_ byte: UInt8) {
    guard byte < 0x20 else {
      append("\\")
      return put(byte)
    }
    word("\\u00")
    for digit in [byte >> 4, byte & 15] { put(digit < 10 ? 0x30 + digit : 0x57 + digit) }
  }

  private mutating func word(_ word: StaticString) { put(all: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) }

  /// One of the structural characters and the quote: all are ASCII.
  private mutating func append(_ character: Unicode.Scalar) {
    reserve(8)
    put(UInt8(truncatingIfNeeded: character.value))
  }

  private mutating func put(all bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count + 8)
    put(start, bytes.count)
  }

  /// There must be room, as for the one below.
  private mutating func put(_ byte: UInt8) {
    base[count] = byte
    count += 1
  }

  private mutating func put(_ start: UnsafePointer<UInt8>, _ length: Int) {
    (base + count).update(from: start, count: length)
    count += length
  }

  /// Makes room for so many bytes more.
  private mutating func reserve(_ length: Int) {
    guard capacity - count < length else { return }
    capacity = max(2 * capacity, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}
