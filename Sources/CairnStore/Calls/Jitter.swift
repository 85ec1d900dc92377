/// Pseudo-random numbers derived from a nonce. The same nonce gives the same number.
enum Jitter {
  /// A number from 0 up to but not including 1.
  static func fraction(of nonce: String) -> Double {
    // FNV-1a with a final mixing step, because the high bits of FNV-1a hardly depend on the last byte.
    var hash = nonce.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return Double((hash ^ (hash >> 32)) >> 11) / 9_007_199_254_740_992
  }
}
