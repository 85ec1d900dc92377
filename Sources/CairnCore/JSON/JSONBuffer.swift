/// A growing byte buffer. The functions `append` reserve memory; before any other writing function, the caller must reserve it.
struct JSONBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  /// The position of the next byte, and the end of the reserved memory.
  private var next: UnsafeMutablePointer<UInt8>
  private var limit: UnsafeMutablePointer<UInt8>
  /// Whether the buffer allocated its memory and must deallocate it.
  private var isOwner: Bool

  init(capacity: Int) {
    let capacity = max(capacity, 64)
    base = .allocate(capacity: capacity)
    next = base
    limit = base + capacity
    isOwner = true
  }

  /// Starts in the caller's memory, which must outlive the buffer. Moves to allocated memory if the text becomes longer.
  init(in room: UnsafeMutableBufferPointer<UInt8>) {
    isOwner = room.baseAddress == nil
    base = room.baseAddress ?? .allocate(capacity: 0)
    next = base
    limit = base + room.count
  }

  deinit { if isOwner { base.deallocate() } }

  /// The number of bytes, which is also the position of the next byte.
  var count: Int { next - base }

  /// A copy of all bytes.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Reserves memory for `length` more bytes.
  @inline(__always)
  mutating func reserve(_ length: Int) {
    if limit - next < length { grow(length) }
  }

  @inline(never)
  private mutating func grow(_ length: Int) {
    let count = count
    let capacity = max((limit - base) * 2, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    if isOwner { base.deallocate() }
    base = larger
    next = larger + count
    limit = larger + capacity
    isOwner = true
  }

  /// Reserves memory for a piece of JSON and appends it.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    reserve(text.utf8CodeUnitCount)
    put(text)
  }

  /// Reserves memory for a piece of JSON given as bytes, and appends it.
  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    put(start, bytes.count)
  }

  /// Reserves memory for the digits of a number and appends them.
  @inline(__always)
  mutating func append(digitsOf number: Int32) {
    reserve(20)
    digits(of: WideInt(number))
  }

  /// Appends one byte. Its memory must be reserved.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  /// Appends one byte if `isMeant` is true. Its memory must be reserved in either case.
  @inline(__always)
  mutating func put(_ byte: UInt8, if isMeant: Bool) {
    next.pointee = byte
    next += isMeant ? 1 : 0
  }

  /// Appends ASCII text. Its memory must be reserved. The length is known at compile time, so this compiles to a few stores.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    UnsafeMutableRawPointer(next).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    next += text.utf8CodeUnitCount
  }

  /// Appends `length` bytes from `start`. Their memory must be reserved. Most texts are short; two overlapping stores copy them faster than a call.
  @inline(__always)
  mutating func put(_ start: UnsafePointer<UInt8>, _ length: Int) {
    let (from, to) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(next))
    switch length {
    case 33...: to.copyMemory(from: from, byteCount: length)
    case 16...: Self.move(SIMD16<UInt8>.self, from, to, length)
    case 8...: Self.move(UInt64.self, from, to, length)
    case 4...: Self.move(UInt32.self, from, to, length)
    default: for place in 0..<length { next[place] = start[place] }
    }
    next += length
  }

  /// Copies the first and the last `Word`, which may overlap.
  @inline(__always)
  private static func move<Word: BitwiseCopyable>(
    _ type: Word.Type, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ length: Int
  ) {
    let last = length - MemoryLayout<Word>.size
    let end = from.loadUnaligned(fromByteOffset: last, as: type)
    to.storeBytes(of: from.loadUnaligned(as: type), as: type)
    to.storeBytes(of: end, toByteOffset: last, as: type)
  }

  /// Appends bytes of the buffer itself once more. Their memory must be reserved.
  mutating func again(_ place: Range<Int>) { put(base + place.lowerBound, place.count) }

  /// Appends an integer's sign and digits. Memory for 20 bytes must be reserved.
  @inline(__always)
  mutating func digits(of value: WideInt) {
    // Most integers are ids, counts and indices.
    guard value >= 0, value < 100 else { return manyDigits(of: value) }
    let tens = value / 10
    put(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: tens), if: tens > 0)
    put(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value &- tens &* 10))
  }

  @inline(never)
  private mutating func manyDigits(of value: WideInt) {
    var rest = value.magnitude
    if value < 0 { put(UInt8(ascii: "-")) }
    var length = 1
    var bound: WideInt.Magnitude = 10
    while rest >= bound {
      length += 1
      // A 64-bit integer has at most 20 digits.
      guard length < 20 else { break }
      bound &*= 10
    }
    var place = length
    while place > 0 {
      place -= 1
      let quotient = rest / 10
      next[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest &- quotient &* 10)
      rest = quotient
    }
    next += length
  }
}
