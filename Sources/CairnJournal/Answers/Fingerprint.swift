/// A 128-bit keyed hash that is stored in place of a client-supplied text or of a whole request.
package struct Fingerprint: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Creates a fingerprint from the first 16 bytes. Missing bytes count as 0.
  package init(_ bytes: some Sequence<UInt8>) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    var count = 0
    for byte in bytes.prefix(16) {
      if count < 8 { high |= UInt64(byte) << UInt64(56 - 8 * count) } else { low |= UInt64(byte) << UInt64(120 - 8 * count) }
      count += 1
    }
    (self.high, self.low) = (high, low)
  }

  /// Creates the fingerprint from its first 8 bytes (`high`) and its last 8 bytes (`low`).
  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The first 8 bytes as a number.
  package var word: UInt64 { high }

  /// The 16 bytes of the hash.
  package var bytes: [UInt8] {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
  }
}
