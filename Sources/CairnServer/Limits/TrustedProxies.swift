import CairnHTTP

/// The proxies whose word is taken for where a request comes from: `Forwarded` (RFC 7239) or `X-Forwarded-For`.
package struct TrustedProxies: Sendable {
  private let ranges: [AddressRange]

  /// Nobody, unless said.
  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Whether this is the address of one of them.
  package func contains(_ text: String) -> Bool { !isEmpty && IPAddress(text).map(contains) ?? false }

  /// Where a request comes from, and whether a trusted proxy passed it on: of what the proxies wrote the rightmost address that is none of
  /// theirs, for what stands left of it anyone could have written. If that cannot be read, or if both fields are there and say different
  /// things (a client wrote the one that the proxy does not), the connection's own address, under which all that write such are counted.
  func client(of peer: String, _ headers: ReceivedHeaders) -> (address: String, isForwarded: Bool) {
    guard contains(peer) else { return (peer, false) }
    let chains = [
      headers.has("Forwarded") ? ForwardedFor.nodes(forwarded: headers.all("Forwarded")) : nil,
      headers.has("X-Forwarded-For") ? ForwardedFor.nodes(list: headers.all("X-Forwarded-For")) : nil,
    ].compactMap { $0 }
    let found = Set(chains.map(farthest))
    guard found.count == 1, let only = found.first, let address = only else { return (peer, !chains.isEmpty) }
    return (address, true)
  }

  /// The rightmost that is not trusted; of trusted ones alone the first. nil: it cannot be read.
  private func farthest(_ nodes: [String?]) -> String? {
    for node in nodes.reversed() {
      guard let node, let address = IPAddress(node) else { return nil }
      if !contains(address) { return node }
    }
    return nodes.first ?? nil
  }
}
