/// SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed 64-bit hash of short inputs. Feed it words and fields, then `finish`.
package struct SipHash: Sendable {
  /// The 128 bits of a key, as two little-endian words.
  package struct Key: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    /// The first 16 bytes; missing bytes count as 0.
    package init(_ bytes: some Collection<UInt8>) {
      func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
      low = word(bytes.prefix(8))
      high = word(bytes.dropFirst(8).prefix(8))
    }

    /// A key for one purpose, derived from the 32 bytes of another secret: it does not reveal them.
    package init(from secret: [UInt8], for purpose: String) {
      func half(_ key: Key, _ number: UInt64) -> UInt64 {
        var hash = SipHash(key)
        hash.combine(number)
        hash.combine(field: Array(purpose.utf8))
        hash.combine(field: secret)
        return hash.finish()
      }
      low = half(Key(secret), 0)
      high = half(Key(secret.dropFirst(16)), 1)
    }

    /// Its 16 bytes.
    package var bytes: [UInt8] {
      [low, high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    }
  }

  private var v0, v1, v2, v3: UInt64
  private var count: UInt64 = 0

  package init(_ key: Key) {
    v0 = key.low ^ 0x736f_6d65_7073_6575
    v1 = key.high ^ 0x646f_7261_6e64_6f6d
    v2 = key.low ^ 0x6c79_6765_6e65_7261
    v3 = key.high ^ 0x7465_6462_7974_6573
  }

  /// The hash of a plain message.
  package static func hash(_ message: [UInt8], _ key: Key) -> UInt64 {
    message.withUnsafeBytes { bytes in
      var hash = SipHash(key)
      let whole = bytes.count & ~7
      for place in stride(from: 0, to: whole, by: 8) { hash.combine(hash.word(bytes, at: place)) }
      return hash.finish(bytes[whole...])
    }
  }

  /// Adds eight bytes, as a little-endian word.
  package mutating func combine(_ word: UInt64) {
    count &+= 8
    compress(word)
  }

  package mutating func combine(_ number: Int) { combine(UInt64(bitPattern: Int64(number))) }

  /// Adds a number that may be absent, which differs from all numbers.
  package mutating func combine(_ number: Int?) {
    combine(number == nil ? 0 : 1)
    if let number { combine(number) }
  }

  /// Adds a text that may be absent, which differs from an empty one.
  package mutating func combine(_ text: String?) {
    guard var text else { return combine(UInt64.max) }
    text.withUTF8 { combine(field: UnsafeRawBufferPointer($0)) }
  }

  /// Adds the count of some bytes, then the bytes, padded with zeros to a whole word: no two lists of fields are fed alike.
  package mutating func combine(field bytes: [UInt8]) { bytes.withUnsafeBytes { combine(field: $0) } }

  private mutating func combine(field bytes: UnsafeRawBufferPointer) {
    combine(bytes.count)
    let whole = bytes.count & ~7
    var place = 0
    while place < whole {
      compress(word(bytes, at: place))
      place += 8
    }
    count &+= UInt64(whole)
    if whole < bytes.count { combine(Self.tail(bytes[whole...])) }
  }

  /// The hash of all that was added. `tail`: the last bytes of a plain message, fewer than eight.
  package func finish() -> UInt64 { finish(UnsafeRawBufferPointer(start: nil, count: 0)[...]) }

  private func finish(_ tail: Slice<UnsafeRawBufferPointer>) -> UInt64 {
    var hash = self
    hash.compress((count &+ UInt64(tail.count)) << 56 | Self.tail(tail))
    hash.v2 ^= 0xff
    for _ in 0..<4 { hash.round() }
    return hash.v0 ^ hash.v1 ^ hash.v2 ^ hash.v3
  }

  private func word(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  private static func tail(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  @inline(__always) private mutating func compress(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  @inline(__always) private mutating func round() {
    v0 &+= v1
    v2 &+= v3
    v1 = (v1 << 13 | v1 >> 51) ^ v0
    v3 = (v3 << 16 | v3 >> 48) ^ v2
    v0 = v0 << 32 | v0 >> 32
    v2 &+= v1
    v0 &+= v3
    v1 = (v1 << 17 | v1 >> 47) ^ v2
    v3 = (v3 << 21 | v3 >> 43) ^ v0
    v2 = v2 << 32 | v2 >> 32
  }
}
