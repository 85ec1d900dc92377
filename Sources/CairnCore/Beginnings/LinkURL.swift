/// The parts of an absolute URL against which links are matched (RFC 3986, 3), in normal form (RFC 3986, 6.2). The scheme is in lower case, the
/// default port is omitted, escapes are decoded, `.` and `..` are resolved, and a trailing slash is removed.
struct LinkURL {
  /// The scheme in lower case.
  var scheme: String
  /// The host as written, including a port other than the scheme's default. For a custom scheme it is the first segment of the path.
  var host: String
  /// The decoded segments.
  var path: [String]
  /// The decoded items. The first one of a name is used. An item without `=` has no value.
  var query: [(name: String, value: String?)]

  /// Returns `nil` if the text is not an absolute URL, contains user information, or contains an invalid escape.
  init?(_ text: String) {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    scheme = text[..<colon].lowercased()
    guard let first = scheme.first, first.isASCII, first.isLetter, text[text.index(after: colon)...].hasPrefix("//") else { return nil }
    var rest = text[text.index(colon, offsetBy: 3)...]
    rest = rest.prefix { $0 != "#" }
    let beforeQuery = rest.prefix { $0 != "?" }
    let authority = beforeQuery.prefix { $0 != "/" }
    guard !authority.contains("@"), let name = PercentCoding.decode(LinkURL.withoutDefaultPort(authority, of: scheme)) else { return nil }
    host = name

    path = []
    for segment in beforeQuery[authority.endIndex...].split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let decoded = PercentCoding.decode(segment) else { return nil }
      path.append(decoded)
    }
    path = LinkURL.normal(path)
    guard let items = LinkURL.query(in: rest[beforeQuery.endIndex...].dropFirst()) else { return nil }
    query = items
  }

  /// The authority without the default port or an empty port (RFC 3986, 6.2.3).
  private static func withoutDefaultPort(_ authority: Substring, of scheme: String) -> Substring {
    let ports = ["https": ":443", "http": ":80"]
    guard let own = ports[scheme] else { return authority }
    return authority.hasSuffix(own) ? authority.dropLast(own.count) : authority.hasSuffix(":") ? authority.dropLast() : authority
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

  /// The decoded items of a query; `nil` if it contains an invalid escape.
  static func query(in text: some StringProtocol) -> [(name: String, value: String?)]? {
    var items: [(name: String, value: String?)] = []
    for item in text.split(separator: "&") {
      let name = item.prefix { $0 != "=" }
      guard let decodedName = PercentCoding.decode(name) else { return nil }
      guard name.endIndex != item.endIndex else {
        items.append((decodedName, nil))
        continue
      }
      guard let value = PercentCoding.decode(item[item.index(after: name.endIndex)...]) else { return nil }
      items.append((decodedName, value))
    }
    return items
  }
}

extension LinkDefinition {
  /// Whether the link's scheme, host and path match the URL.
  public func takes(_ url: String) -> Bool { LinkURL(url).flatMap { captures(from: $0) } != nil }

  /// The values of the captures; `nil` if the URL does not match the link.
  func captures(from url: LinkURL) -> [String: String]? {
    let segments: [String]
    if url.scheme == "https" || url.scheme == "http" {
      guard url.scheme == "https" || schemes.contains("http"), hosts.contains(url.host.lowercased()) else { return nil }
      segments = url.path
    } else if schemes.contains(url.scheme) {
      segments = (url.host.isEmpty ? [] : [url.host]) + url.path
    } else {
      return nil
    }
    guard var captures = captures(from: segments) else { return nil }
    for name in query { captures[name] = url.query.first { $0.name.isExactly(name) }?.value }
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

extension OAuthDefinition {
  /// The URL of the login page (RFC 6749, 4.1.1), with the parameters in the order client_id, scope, state.
  func authorizeURL(environment: [String: String], state: String) -> String {
    let client = PercentCoding.encode(clientID.value(in: environment) ?? "")
    let scope = scope.map { "&scope=\($0)" } ?? ""
    return "\(baseURL.value(in: environment) ?? "")\(authorizePath)?client_id=\(client)\(scope)&state=\(state)"
  }

  /// Whether a URL is the redirect URL to which the provider returns the user.
  package func isRedirect(_ url: String, environment: [String: String]) -> Bool { redirectQuery(of: url, environment: environment) != nil }

  /// The query of the redirect if the URL is the redirect URL, optionally followed by a query or a fragment; otherwise `nil`. Sharing a prefix
  /// (`/cbx` for `/cb`) is not enough (FX-17).
  func redirectQuery(of url: String, environment: [String: String]) -> Substring? {
    guard let redirect = redirectURL.value(in: environment), !redirect.isEmpty, url.hasPrefix(redirect) else { return nil }
    let rest = url.dropFirst(redirect.count).prefix { $0 != "#" }
    if rest.isEmpty { return "" }
    guard rest.first == (redirect.contains("?") ? "&" : "?") else { return nil }
    return rest.dropFirst()
  }
}

extension OAuthDefinition.Variable {
  /// The variable's value in a session's environment, or its fallback.
  public func value(in environment: [String: String]) -> String? { environment[name] ?? fallback }
}
