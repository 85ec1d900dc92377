/// The hosts of `https` and `http` URLs.
enum WebHost {
  /// The host of an authority in lower case, followed by a port other than the scheme's default (RFC 3986, 6.2.3). In a host with characters beyond
  /// ASCII, labels in Punycode are decoded. Returns `nil` if the authority is invalid.
  static func normal(_ authority: ArraySlice<UInt8>, of scheme: String) -> String? {
    let bracket = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
    let colon = authority[bracket...].firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    guard let decoded = PercentCoding.decode(authority[..<colon]), let port = port(authority[colon...].dropFirst()) else { return nil }
    // The decoded text must not add a port or end the host.
    guard decoded.utf8.count == colon - authority.startIndex || !decoded.utf8.contains(where: { ":/?#@".utf8.contains($0) }) else {
      return nil
    }
    let host = decoded.lowercased()
    let name = isASCII(host) ? host : Punycode.readable(dotted(host))
    return port == 0 || port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// Whether a host in a definition and the host of a URL in normal form are the same. A definition contains international hosts in
  /// Punycode. Such a host is decoded and compared as Unicode text, so that differently composed characters are equal.
  static func isSame(_ defined: String, _ host: String) -> Bool {
    if defined.isExactly(host) { return true }
    guard !isASCII(host) else { return false }
    return Punycode.readable(defined) == host
  }

  private static func isASCII(_ host: String) -> Bool { host.utf8.allSatisfy { $0 < 0x80 } }

  /// The number of a port, which may have leading zeros; 0 if there is none. Returns `nil` if the text is not a port.
  private static func port(_ digits: ArraySlice<UInt8>) -> Int? {
    var port = 0
    for digit in digits {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
      port = port * 10 + Int(digit - UInt8(ascii: "0"))
      guard port <= 65_535 else { return nil }
    }
    return port
  }

  /// Returns the host with ASCII full stops instead of ideographic ones, which Japanese and Chinese keyboards write (UTS 46).
  private static func dotted(_ host: String) -> String {
    var text = ""
    for scalar in host.unicodeScalars {
      switch scalar {
      case "\u{3002}", "\u{FF0E}", "\u{FF61}": text.unicodeScalars.append(".")
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
