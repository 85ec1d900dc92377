import CairnHTTP

/// The proxies whose `Forwarded` (RFC 7239) or `X-Forwarded-For` headers determine a client's address.
package struct TrustedProxies: Sendable {
  private let ranges: [AddressRange]

  /// Trusts the proxies in these address ranges.
  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Whether the text is the address of a trusted proxy.
  package func contains(_ text: String) -> Bool { !isEmpty && IPAddress(text).map(contains) ?? false }

  /// Returns the client's address, and whether a trusted proxy forwarded the request. The client's address is the rightmost address in the
  /// header that is not the address of a trusted proxy, because a client can forge all addresses left of it. If that address cannot be
  /// parsed, or if both headers exist and differ, returns the connection's address.
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

  /// Returns the rightmost address that is not trusted, or the first address if all are trusted. Returns `nil` if this address, or an
  /// address to the right of it, cannot be parsed.
  private func farthest(_ nodes: [String?]) -> String? {
    for node in nodes.reversed() {
      guard let node, let address = IPAddress(node) else { return nil }
      if !contains(address) { return node }
    }
    return nodes.first ?? nil
  }
}
