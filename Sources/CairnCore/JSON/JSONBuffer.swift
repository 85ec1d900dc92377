/// Bytes that grow. Room is made first, then written to.
struct JSONBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  /// Where the next byte is written, and the end of the room.
  private var next: UnsafeMutablePointer<UInt8>
  private var limit: UnsafeMutablePointer<UInt8>
  /// Whether the room is this buffer's own, to be deallocated with it.
  private var isOwner: Bool

  init(capacity: Int) {
    let capacity = max(capacity, 64)
    base = .allocate(capacity: capacity)
    next = base
    limit = base + capacity
    isOwner = true
  }

  /// Begins in the caller's memory, which must outlive the buffer. A longer text moves to memory of the buffer's own.
  init(in room: UnsafeMutableBufferPointer<UInt8>) {
    isOwner = room.baseAddress == nil
    base = room.baseAddress ?? .allocate(capacity: 0)
    next = base
    limit = base + room.count
  }

  deinit { if isOwner { base.deallocate() } }

  /// How many bytes there are: the place of the next one.
  var count: Int { next - base }

  /// A copy of all.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Makes room for so many bytes more.
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

  /// One byte; there must be room.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    next.pointee = byte
    next += 1
  }

  /// One byte if `isMeant`; there must be room in any case.
  @inline(__always)
  mutating func put(_ byte: UInt8, if isMeant: Bool) {
    next.pointee = byte
    next += isMeant ? 1 : 0
  }

  /// ASCII that the program itself has; there must be room. As the length is known when this is compiled, it is a few stores.
  @inline(__always)
  mutating func put(_ text: StaticString) {
    UnsafeMutableRawPointer(next).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    next += text.utf8CodeUnitCount
  }

  /// Bytes from elsewhere; there must be room. Most of what is written is a word: so few bytes are moved faster in two halves that
  /// overlap than by a call.
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

  /// The first and the last bytes, as many as a word has, which may overlap.
  @inline(__always)
  private static func move<Word: BitwiseCopyable>(
    _ type: Word.Type, _ from: UnsafeRawPointer, _ to: UnsafeMutableRawPointer, _ length: Int
  ) {
    let last = length - MemoryLayout<Word>.size
    let end = from.loadUnaligned(fromByteOffset: last, as: type)
    to.storeBytes(of: from.loadUnaligned(as: type), as: type)
    to.storeBytes(of: end, toByteOffset: last, as: type)
  }

  /// Bytes of its own once more; there must be room.
  mutating func again(_ place: Range<Int>) { put(base + place.lowerBound, place.count) }

  /// An integer's digits and sign; there must be room for 20.
  @inline(__always)
  mutating func digits(of value: WideInt) {
    // Most are ids, counts and indices.
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
      // At most twenty digits.
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
