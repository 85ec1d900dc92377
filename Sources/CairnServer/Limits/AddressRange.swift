/// A block of addresses, written as `10.0.0.0/8`, as `2001:db8::/32` or as a single address (RFC 4632, RFC 4291).
package struct AddressRange: Hashable, Sendable {
  private let base: IPAddress
  private let bits: Int

  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(first) else { return nil }
    let longest = address.isIPv4 ? 32 : 128
    var length = longest
    if parts.count == 2 {
      guard let given = Int(parts[1]), (0...longest).contains(given) else { return nil }
      length = given
    }
    bits = length + 128 - longest
    base = address.prefix(bits)
  }

  package func contains(_ address: IPAddress) -> Bool { address.prefix(bits) == base }
}
