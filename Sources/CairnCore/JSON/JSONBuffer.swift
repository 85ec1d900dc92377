/// Bytes that grow. Room is made first, then written to.
struct JSONBuffer: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes there are: the place of the next one.
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// A copy of all.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  /// Makes room for so many bytes more.
  @inline(__always)
  mutating func reserve(_ length: Int) {
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

  /// One byte; there must be room.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    base[count] = byte
    count += 1
  }

  /// Bytes from elsewhere; there must be room. Most of what is written is a word: so few bytes are moved faster in two halves that
  /// overlap than by a call.
  @inline(__always)
  mutating func put(_ start: UnsafePointer<UInt8>, _ length: Int) {
    let (from, to) = (UnsafeRawPointer(start), UnsafeMutableRawPointer(base + count))
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
    default: for place in 0..<length { base[count + place] = start[place] }
    }
    count += length
  }

  /// Bytes of its own once more; there must be room.
  mutating func again(_ place: Range<Int>) { put(base + place.lowerBound, place.count) }

  /// An integer's digits and sign; there must be room for 20.
  mutating func digits(of value: WideInt) {
    var rest = value.magnitude
    var length = 1
    var bound: WideInt.Magnitude = 10
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
}
