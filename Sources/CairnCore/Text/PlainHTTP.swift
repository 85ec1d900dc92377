/// The rule for sending secrets without TLS.
package enum PlainHTTP {
  /// Whether secrets may be sent to a URL: it is not plain HTTP, or its host is this machine (`localhost`, 127.0.0.0/8, `::1`).
  package static func mayCarrySecrets(_ url: String) -> Bool {
    let scheme = "http://"
    guard url.lowercased().hasPrefix(scheme) else { return true }
    let authority = url.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
    return !authority.contains("@") && isLoopback(authority.lowercased())
  }

  private static func isLoopback(_ authority: String) -> Bool {
    if authority.hasPrefix("[") { return authority == "[::1]" || authority.hasPrefix("[::1]:") }
    let host = authority.prefix { $0 != ":" }
    if host == "localhost" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in part.utf8.allSatisfy { 0x30...0x39 ~= $0 } && UInt8(part) != nil }
  }
}
