/// A host that a load may call, with the port if it is another one than the scheme's own.
struct LoadHost: Hashable {
  /// In lower case; an IPv6 address in its brackets.
  var host: String
  var port: Int?

  /// `api.example`, `api.example:8443`, `127.0.0.1:9000`, `[::1]:9000`; nil: it is none of these.
  init?(_ text: some StringProtocol) {
    let text = text.lowercased()
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":") ?? text.endIndex
    guard let end, end == text.endIndex || text[end] == ":" else { return nil }
    host = String(text[..<end])
    guard Self.isHost(host) else { return nil }
    guard end != text.endIndex else { return }
    let digits = text[text.index(after: end)...]
    guard let port = Int(digits), (1...65_535).contains(port), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    self.port = port
  }

  /// As it is written.
  var text: String { port.map { "\(host):\($0)" } ?? host }

  /// Whether a URL of this scheme and authority leads to it.
  func takes(_ other: LoadHost, scheme: String) -> Bool {
    let own = scheme == "https" ? 443 : 80
    return host == other.host && port ?? own == other.port ?? own
  }

  private static func isHost(_ host: String) -> Bool {
    if host.hasPrefix("[") {
      return host.count > 2 && host.hasSuffix("]")
        && host.dropFirst().dropLast().utf8.allSatisfy { $0 < 0x80 && ($0.isHexDigit || ":.".utf8.contains($0)) }
    }
    return !host.isEmpty
      && host.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "." || $0 == "-") }
  }
}

extension UInt8 {
  fileprivate var isHexDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self }
}
