/// SipHash-2-4 (Aumasson and Bernstein, 2012), a keyed 64-bit hash of short inputs. Add words and fields with `combine`, then call `finish`.
package struct SipHash: Sendable {
  /// The 128 bits of a key, as two little-endian words.
  package struct Key: Hashable, Sendable {
    let low: UInt64
    let high: UInt64

    /// Creates a key from the first 16 bytes. Missing bytes count as 0.
    package init(_ bytes: some Collection<UInt8>) {
      func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }
      low = word(bytes.prefix(8))
      high = word(bytes.dropFirst(8).prefix(8))
    }

    /// A key for one purpose, derived from a secret of 32 bytes. The secret cannot be computed from the key.
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

    /// The 16 bytes of the key.
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
      for place in stride(from: 0, to: whole, by: 8) { hash.combine(word(bytes, at: place)) }
      return hash.finish(tail(bytes, from: whole), bytes.count - whole)
    }
  }

  /// Adds eight bytes, as a little-endian word.
  package mutating func combine(_ word: UInt64) {
    count &+= 8
    compress(word)
  }

  package mutating func combine(_ number: Int) { combine(UInt64(bitPattern: Int64(number))) }

  /// Adds an optional number. `nil` differs from all numbers.
  package mutating func combine(_ number: Int?) {
    combine(number == nil ? 0 : 1)
    if let number { combine(number) }
  }

  /// Adds an optional text. `nil` differs from the empty text.
  package mutating func combine(_ text: String?) {
    guard let text else { return combine(UInt64.max) }
    combine(text.utf8.count)
    combine(padded: text)
  }

  /// Adds the number of bytes, then the bytes, so that different lists of fields give different inputs.
  package mutating func combine(field bytes: [UInt8]) {
    combine(bytes.count)
    combine(padded: bytes)
  }

  /// Adds bytes, padded with zeros to whole words. The caller must add their number separately.
  package mutating func combine(padded bytes: [UInt8]) { bytes.withUnsafeBytes { combine(padded: $0) } }

  /// Adds the UTF-8 bytes of a text, padded with zeros to whole words. The caller must add their number separately.
  package mutating func combine(padded text: String) {
    var text = text
    text.withUTF8 { combine(padded: UnsafeRawBufferPointer($0)) }
  }

  /// Adds four numbers as one word with 16 bits each. A larger number overlaps the next one, but a change of any single number still changes the
  /// word.
  package mutating func combine(_ first: Int, _ second: Int, _ third: Int, _ fourth: Int) {
    func turned(_ number: Int, _ by: UInt64) -> UInt64 {
      let bits = UInt64(bitPattern: Int64(number))
      return bits << by | bits >> (64 - by)
    }
    combine(UInt64(bitPattern: Int64(first)) ^ turned(second, 16) ^ turned(third, 32) ^ turned(fourth, 48))
  }

  private mutating func combine(padded bytes: UnsafeRawBufferPointer) {
    // A local copy stays in registers.
    var hash = self
    var place = 0
    while place &+ 8 <= bytes.count {
      hash.compress(Self.word(bytes, at: place))
      place &+= 8
    }
    if place < bytes.count { hash.compress(Self.tail(bytes, from: place)) }
    hash.count &+= UInt64((bytes.count &+ 7) & ~7)
    self = hash
  }

  /// The hash of all bytes that were added.
  package func finish() -> UInt64 { finish(0, 0) }

  /// Completes a hash. `tail` contains the last bytes of a message, and `length` is their number, which is less than eight.
  private func finish(_ tail: UInt64, _ length: Int) -> UInt64 {
    var hash = self
    hash.compress((count &+ UInt64(length)) << 56 | tail)
    hash.v2 ^= 0xff
    for _ in 0..<4 { hash.round() }
    return hash.v0 ^ hash.v1 ^ hash.v2 ^ hash.v3
  }

  @inline(__always) private static func word(_ bytes: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// The bytes from `place` to the end, which are fewer than eight.
  private static func tail(_ bytes: UnsafeRawBufferPointer, from place: Int) -> UInt64 {
    let length = bytes.count &- place
    guard length > 0 else { return 0 }
    // Loads the last eight bytes, and shifts out the bytes before `place`, which are already hashed.
    if place > 0 { return word(bytes, at: bytes.count &- 8) >> UInt64(8 &* (8 &- length)) }
    var (word, next): (UInt64, Int) = (0, bytes.count)
    while next > place {
      next &-= 1
      word = word << 8 | UInt64(bytes[next])
    }
    return word
  }

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
