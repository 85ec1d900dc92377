import CairnCore

/// A host as written in a definition: the host of a link, or a host that loads may call. The port is optional.
struct WrittenHost: Hashable {
  /// The host in lower case. An IPv6 address keeps its brackets.
  var host: String
  var port: Int?

  /// The reason why a text is not a host.
  enum Misfit: Error {
    case name
    /// A pattern, such as `*.shop.example`.
    case pattern
    /// A name with characters beyond ASCII. A definition must contain its ASCII form instead.
    case international(ascii: String)
    /// The text after the colon is not a port.
    case port(String)
  }

  /// Parses a host such as `api.example`, `api.example:8443`, `127.0.0.1:9000` or `[::1]:9000`. Throws if the text is not a host.
  init(_ text: some StringProtocol) throws(Misfit) {
    let text = text.lowercased()
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":") ?? text.endIndex
    guard let end, end == text.endIndex || text[end] == ":", !text.contains("/") else { throw .name }
    host = String(text[..<end])
    guard Self.isHost(host) else { throw Self.misfit(host) }
    guard end != text.endIndex else { return }
    let digits = text[text.index(after: end)...]
    guard let port = Int(digits), (1...65_535).contains(port), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw .port(String(digits))
    }
    self.port = port
  }

  /// The host, with its port if there is one, as it is written in the definition.
  var text: String { port.map { "\(host):\($0)" } ?? host }

  /// Whether a URL with this scheme and authority addresses this host.
  func takes(_ other: WrittenHost, scheme: String) -> Bool {
    let own = scheme == "https" ? 443 : 80
    return host == other.host && port ?? own == other.port ?? own
  }

  private static func misfit(_ host: String) -> Misfit {
    if host.hasPrefix("*.") || host == "*" { return .pattern }
    guard let ascii = Punycode.ascii(host), ascii != host, isHost(ascii) else { return .name }
    return .international(ascii: ascii)
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
