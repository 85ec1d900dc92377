import CairnHTTP

/// The proxies whose word is taken for where a request comes from: `Forwarded` (RFC 7239) or `X-Forwarded-For`.
package struct TrustedProxies: Sendable {
  private let ranges: [AddressRange]

  /// No address by default.
  package init(_ ranges: [AddressRange] = []) { self.ranges = ranges }

  package var isEmpty: Bool { ranges.isEmpty }

  package func contains(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Whether this is the address of one of them.
  package func contains(_ text: String) -> Bool { !isEmpty && IPAddress(text).map(contains) ?? false }

  /// The client's address, and whether a trusted proxy passed the request on. Of the addresses that the proxies wrote it is the rightmost
  /// one that is not theirs, since the client can write everything left of it. If that cannot be read, or if both fields exist and differ
  /// (one is the client's own), it is the connection's own address, under which all such requests are counted.
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

  /// The rightmost address that is not trusted; if all are trusted the first. `nil` if it cannot be read.
  private func farthest(_ nodes: [String?]) -> String? {
    for node in nodes.reversed() {
      guard let node, let address = IPAddress(node) else { return nil }
      if !contains(address) { return node }
    }
    return nodes.first ?? nil
  }
}
