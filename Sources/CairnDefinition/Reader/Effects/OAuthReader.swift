import CairnCore

/// Reads the section about the provider of the access token.
struct OAuthReader: PartReader {
  let context: ReaderContext

  /// Reads `oauth`. Returns `nil` if one of the endpoints, `clientId` or `redirectUrl` is missing or invalid, which is reported.
  func definition(_ element: Element) -> OAuthDefinition? {
    guard let fields = fields(of: element, "`oauth`", .oauth) else { return nil }
    let authorization = fields["authorizationEndpoint"].flatMap { endpoint($0, "`authorizationEndpoint`") }
    let token = fields["tokenEndpoint"].flatMap { endpoint($0, "`tokenEndpoint`") }
    let id = fields["clientId"].flatMap { variable($0, "`clientId`") }
    let secret = fields["clientSecret"].flatMap { variable($0, "`clientSecret`") }
    let redirect = fields["redirectUrl"].flatMap { variable($0, "`redirectUrl`") }
    let scope = fields["scope"].flatMap { text($0, "`scope`") }
    let usesPKCE = fields["pkce"].map { flag($0, "`pkce`") } ?? true
    let clientAuth: OAuthDefinition.ClientAuth = word(fields["clientAuth"], "`clientAuth`") ?? .body
    let encoding: OAuthDefinition.Encoding = word(fields["encoding"], "`encoding`") ?? .form
    let bearer = fields["bearer"]
    if let bearer, bearer.text != FactDefinition.accessToken { report("`bearer` must be `accessToken`", at: bearer.position) }
    let extra = extraFields(fields["fields"])
    let response = response(fields["response"])
    let required = texts(fields["required"], "a name in `required`")
    let scopes = fields["scopes"] == nil ? nil : texts(fields["scopes"], "a name in `scopes`")
    let omitted = oneOrMore(fields["omit"]).compactMap { word($0, "a parameter in `omit`") as OAuthDefinition.Parameter? }
    if clientAuth == .basic, fields["clientSecret"] == nil {
      report("`clientAuth: basic` needs `clientSecret`", at: fields["clientAuth"]?.position ?? fields.position)
    }
    guard let authorization, let token, let id, let redirect else { return nil }
    var oauth = OAuthDefinition(
      authorizationEndpoint: authorization, tokenEndpoint: token, clientID: id, clientSecret: secret?.name, redirectURL: redirect,
      scope: scope)
    oauth.usesPKCE = usesPKCE
    oauth.clientAuth = clientAuth
    oauth.encoding = encoding
    oauth.fields = extra
    oauth.response = response
    oauth.requiredMembers = required
    oauth.knownScopes = scopes
    oauth.omitted = Set(omitted)
    oauth.sendsToken = bearer != nil
    return oauth
  }

  /// Reads a URL, or the variable that contains it. Reports a URL to which secrets must not be sent. Returns `nil` after reporting a value of another form.
  private func endpoint(_ element: Element, _ what: String) -> OAuthDefinition.Variable? {
    guard element.members == nil else { return variable(element, what, .endpoint) }
    guard let url = text(element, what) else { return nil }
    checkAddress(url, what, at: element.position)
    return .init(nil, fallback: url)
  }

  private func variable(
    _ element: Element, _ what: String, _ table: MemberTable = .variable
  ) -> OAuthDefinition.Variable? {
    guard let fields = fields(of: element, what, table) else { return nil }
    let fallback = fields["default"].flatMap { text($0, "the default of \(what)") }
    if what == "`clientSecret`", fields["default"] != nil {
      report("a definition must not contain a secret; remove `default`, and write only `env`", at: fields.position(of: "default"))
    }
    var path: String?
    if table.names.contains("path") {
      if let fallback, let element = fields["default"] { checkAddress(fallback, what, at: element.position) }
      path = fields["path"].flatMap { text($0, "`path`") }
      if let path, !path.hasPrefix("/") { report("`path` must begin with `/`, like `/oauth/token`", at: fields.position(of: "path")) }
    }
    return fields["env"].flatMap { environmentName($0) }.map { .init($0, fallback: fallback, path: path ?? "") }
  }

  private func checkAddress(_ url: String, _ what: String, at position: Position) {
    if !url.hasPrefix("https://"), !url.hasPrefix("http://") {
      report("\(what) must begin with `https://` or `http://`, not `\(url)`", at: position)
    } else if !PlainHTTP.mayCarrySecrets(url) {
      reportUnlessStored("an authorization code and a token must not be sent over plain HTTP; use `https`", at: position)
    }
  }

  private func response(_ element: Element?) -> OAuthDefinition.TokenResponse {
    var response = OAuthDefinition.TokenResponse()
    guard let element, let fields = fields(of: element, "`response`", .tokenResponse) else { return response }
    func pointer(_ name: String, _ usual: String) -> String {
      guard let member = fields[name], let pointer = text(member, "`\(name)`") else { return usual }
      if !pointer.hasPrefix("/") {
        report("`\(name)` must be a JSON Pointer, like `/access_token`, not `\(pointer)`", at: member.position)
      }
      return pointer
    }
    response.accessToken = pointer("accessToken", response.accessToken)
    response.refreshToken = pointer("refreshToken", response.refreshToken)
    response.expiresIn = pointer("expiresIn", response.expiresIn)
    response.error = pointer("error", response.error)
    return response
  }

  /// The fields of a token request that the service sets itself.
  private static let ownFields = [
    "client_id", "client_secret", "code", "code_verifier", "grant_type", "redirect_uri", "refresh_token",
  ]

  private func extraFields(_ element: Element?) -> [String: String] {
    guard let element, !element.isNull else { return [:] }
    guard let members = element.members else {
      report("`fields` must be a map, like `{ audience: api }`, not \(article(element.kindName))", at: element.position)
      return [:]
    }
    var extra: [String: String] = [:]
    for member in members {
      if Self.ownFields.contains(member.name) {
        report("`\(member.name)` is always sent; remove it here", at: member.position)
      } else {
        extra[member.name] = text(member.element, "`\(member.name)`")
      }
    }
    return extra
  }
}
