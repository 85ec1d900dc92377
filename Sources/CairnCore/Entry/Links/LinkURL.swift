/// The parts of an absolute URL against which links are matched (RFC 3986, 3), in normal form (RFC 3986, 6.2). Spaces and control
/// characters around the URL are removed. The scheme, and the host of an `https` or `http` URL, are in lower case, and the default port is
/// omitted. Escapes are decoded, `.` and `..` are resolved, and a trailing slash is removed.
struct LinkURL {
  /// The scheme in lower case.
  var scheme: String
  /// The host, including a port other than the scheme's default. With a custom scheme, it counts as the first segment of the path. It is
  /// then kept as written, and is empty if the URL has no authority.
  var host: String
  /// The decoded segments of the path.
  var path: [String]
  var query: URLQuery

  /// Returns `nil` if the text is not an absolute URL, is too long, contains user information, or contains an invalid escape before its query.
  init?(_ text: String) {
    guard LinkLimit.allows(text) else { return nil }
    let bytes = Array(text.utf8)
    let trimmed = LinkURL.trimmed(bytes[...])
    guard let colon = trimmed.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let name = trimmed[..<colon]
    guard let first = name.first, (first | 0x20).isLowercaseLetter else { return nil }
    scheme = String(decoding: name, as: UTF8.self).lowercased()
    let rest = trimmed[(colon + 1)...].prefix { $0 != UInt8(ascii: "#") }
    let beforeQuery = rest.prefix { $0 != UInt8(ascii: "?") }
    query = URLQuery(rest[beforeQuery.endIndex...].dropFirst())

    let isWeb = scheme == "https" || scheme == "http"
    let slash = UInt8(ascii: "/")
    let hasAuthority = beforeQuery.starts(with: [slash, slash])
    // A URL with a custom scheme may have a path only (RFC 3986, 3.3): `shop:items/7` and `shop:/items/7`.
    guard hasAuthority || !isWeb else { return nil }
    let authority = hasAuthority ? beforeQuery.dropFirst(2).prefix { $0 != slash } : [][...]
    guard !authority.contains(UInt8(ascii: "@")),
      let host = isWeb ? WebHost.normal(authority, of: scheme) : SealedURL.decode(authority)
    else { return nil }
    self.host = host

    let written = hasAuthority ? beforeQuery[authority.endIndex...] : beforeQuery
    path = []
    for segment in (written.first == slash ? written.dropFirst() : written).split(separator: slash, omittingEmptySubsequences: false) {
      guard let decoded = SealedURL.decode(segment) else { return nil }
      path.append(decoded)
    }
    path = LinkURL.normal(path)
  }

  /// The URL without the spaces and control characters around it (WHATWG URL, 4.4), which a copied URL often has.
  static func trimmed(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let trimmed = trimmed(bytes[...])
    return trimmed.count == bytes.count ? text : String(decoding: trimmed, as: UTF8.self)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 <= 0x20 }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return bytes
  }

  /// The segments with `.` and `..` resolved (RFC 3986, 5.2.4), without the empty segment of a trailing slash.
  private static func normal(_ segments: [String]) -> [String] {
    var path: [String] = []
    for (index, segment) in segments.enumerated() {
      let isDots = segment == "." || segment == ".."
      if segment == "..", !path.isEmpty { path.removeLast() }
      if !isDots { path.append(segment) } else if index == segments.count - 1 { path.append("") }
    }
    if path.last == "" { path.removeLast() }
    return path
  }
}

extension UInt8 {
  fileprivate var isLowercaseLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
}

extension LinkDefinition {
  /// Whether the link's scheme, host and path match the URL, and the query items that it reads can be decoded.
  public func takes(_ url: String) -> Bool {
    guard let url = LinkURL(url) else { return false }
    return (try? captures(from: url)) != nil
  }

  #if !CLIENT_ENGINE
    /// The names of the captures that a URL has; `nil` if the link does not match it.
    package func captureNames(of url: String) -> Set<String>? {
      guard let url = LinkURL(url) else { return nil }
      return (try? captures(from: url)).flatMap { $0 }.map { Set($0.keys) }
    }
  #endif

  /// The values of the captures; `nil` if the URL does not match the link. Throws if the path matches but a query item that the link reads
  /// contains an invalid escape.
  func captures(from url: LinkURL) throws(BadEscape) -> [String: String]? {
    let segments: [String]
    if url.scheme == "https" || url.scheme == "http" {
      guard url.scheme == "https" || schemes.contains("http"), hosts.contains(where: { WebHost.isSame($0, url.host) }) else { return nil }
      segments = url.path
    } else if schemes.contains(url.scheme) {
      segments = (url.host.isEmpty ? [] : [url.host]) + url.path
    } else {
      return nil
    }
    guard var captures = captures(from: segments) else { return nil }
    for name in query { captures[name] = try url.query.value(name) }
    return captures
  }

  private func captures(from segments: [String]) -> [String: String]? {
    var captures: [String: String] = [:]
    for (index, pattern) in path.enumerated() {
      let segment = index < segments.count ? segments[index] : nil
      switch (pattern, segment) {
      case (.literal(let literal), let segment?): guard literal.isExactly(segment) else { return nil }
      case (.capture(let name), let segment?), (.optional(let name), let segment?):
        guard !segment.isEmpty else { return nil }
        captures[name] = segment
      case (.optional, nil): break
      case (.rest(let name), _):
        captures[name] = segments.dropFirst(index).joined(separator: "/")
        return captures
      case (.literal, nil), (.capture, nil): return nil
      }
    }
    return segments.count > path.count ? nil : captures
  }
}

#if !CLIENT_ENGINE
  extension OAuthDefinition {
    /// Whether a URL is the redirect URL to which the provider returns the user.
    package func isRedirect(_ url: String, environment: [String: String]) -> Bool {
      redirectQuery(of: url, environment: environment) != nil
    }

    /// The query of a URL that is the redirect URL, optionally followed by a query or a fragment; `nil` for any other URL. A URL that only
    /// begins with the redirect URL, such as `/cbx` for `/cb`, is another URL (decision 3).
    func redirectQuery(of url: String, environment: [String: String]) -> URLQuery? {
      let url = LinkURL.trimmed(url)
      guard let redirect = redirectURL.value(in: environment), !redirect.isEmpty, url.hasPrefix(redirect) else { return nil }
      let rest = url.dropFirst(redirect.count).prefix { $0 != "#" }
      if rest.isEmpty { return URLQuery("") }
      guard rest.first == (redirect.contains("?") ? "&" : "?") else { return nil }
      return URLQuery(rest.dropFirst())
    }
  }
#endif
