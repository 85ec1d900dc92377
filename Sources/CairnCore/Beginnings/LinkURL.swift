/// The parts of an absolute URL to which links are matched (RFC 3986, 3), normalized (6.2): the scheme in lower case, without the default port,
/// decoded, with `.` and `..` resolved, and without a slash at the end.
struct LinkURL {
  /// The scheme in lower case.
  var scheme: String
  /// The host as written, because for custom schemes it is a part of the path. Includes the port, unless it is the scheme's default.
  var host: String
  /// The decoded segments.
  var path: [String]
  /// The decoded parameters. Of equal names the first one counts. A parameter without `=` has no value.
  var query: [(name: String, value: String?)]

  /// Returns `nil` for a relative URL, for one with user information, and for malformed escapes.
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

  /// The authority without the default port (RFC 3986, 6.2.3).
  private static func withoutDefaultPort(_ authority: Substring, of scheme: String) -> Substring {
    let ports = ["https": ":443", "http": ":80"]
    guard let own = ports[scheme] else { return authority }
    return authority.hasSuffix(own) ? authority.dropLast(own.count) : authority.hasSuffix(":") ? authority.dropLast() : authority
  }

  /// The segments with `.` and `..` resolved (RFC 3986, 5.2.4), without the empty one of a slash at the end.
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

  /// Returns `nil` for malformed escapes.
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
  /// Whether the link's origin and path match a URL.
  public func takes(_ url: String) -> Bool { LinkURL(url).flatMap { captures(from: $0) } != nil }

  /// The values of the captures in a URL; `nil` if the link does not match it.
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
  /// The URL of the login page (RFC 6749, 4.1.1), with its parameters in the order client_id, scope, state.
  func authorizeURL(environment: [String: String], state: String) -> String {
    let client = PercentCoding.encode(clientID.value(in: environment) ?? "")
    let scope = scope.map { "&scope=\($0)" } ?? ""
    return "\(baseURL.value(in: environment) ?? "")\(authorizePath)?client_id=\(client)\(scope)&state=\(state)"
  }

  /// Whether a URL is the redirect of the OAuth provider.
  package func isRedirect(_ url: String, environment: [String: String]) -> Bool { redirectQuery(of: url, environment: environment) != nil }

  /// The query of the redirect; `nil` if the URL is not the redirect. The redirect URL may only be followed by a query or a fragment. A common
  /// prefix, such as `/cbx` for `/cb`, is not enough (FX-17).
  func redirectQuery(of url: String, environment: [String: String]) -> Substring? {
    guard let redirect = redirectURL.value(in: environment), !redirect.isEmpty, url.hasPrefix(redirect) else { return nil }
    let rest = url.dropFirst(redirect.count).prefix { $0 != "#" }
    if rest.isEmpty { return "" }
    guard rest.first == (redirect.contains("?") ? "&" : "?") else { return nil }
    return rest.dropFirst()
  }
}

extension OAuthDefinition.Variable {
  /// The value in a session's environment.
  public func value(in environment: [String: String]) -> String? { environment[name] ?? fallback }
}
