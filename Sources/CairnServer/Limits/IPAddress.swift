import Glibc

/// An address of 128 bits. An IPv4 address is stored as an IPv4-mapped IPv6 address (RFC 4291, 2.5.5.2).
package struct IPAddress: Hashable, Sendable {
  package let high, low: UInt64

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// Parses a literal without brackets and port; `nil` for any other text.
  package init?(_ text: some StringProtocol) {
    var four = in_addr()
    var six = in6_addr()
    // `inet_pton` reads a C string, which would end at a NUL.
    let text = String(text)
    guard !text.utf8.contains(0) else { return nil }
    if inet_pton(AF_INET, text, &four) == 1 {
      self.init(high: 0, low: Self.mapped | UInt64(UInt32(bigEndian: four.s_addr)))
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      let (high, low) = withUnsafeBytes(of: six) { ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self)) }
      self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    } else {
      return nil
    }
  }

  package var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// The address that limits apply to: an IPv4 address, or the /64 network of an IPv6 address, because one customer usually controls the
  /// whole network.
  var client: IPAddress { isIPv4 ? self : IPAddress(high: high, low: 0) }

  /// The first `bits` of the 128 bits. The remaining bits are zero.
  func prefix(_ bits: Int) -> IPAddress {
    let high = bits >= 64 ? self.high : self.high & ~(bits == 0 ? UInt64.max : UInt64.max >> UInt64(bits))
    let low = bits >= 128 ? self.low : bits <= 64 ? 0 : self.low & ~(UInt64.max >> UInt64(bits - 64))
    return IPAddress(high: high, low: low)
  }

  private static let mapped: UInt64 = 0xFFFF_0000_0000
}
