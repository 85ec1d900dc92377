import CairnCore

extension DefinitionReader {
  /// Reads the OAuth provider, whose settings are names of environment variables.
  mutating func oauth(_ element: Element) -> OAuthDefinition? {
    let addresses = ["baseUrl", "clientId", "clientSecret", "redirectUrl"]
    guard let fields = fields(of: element, "oauth", .oauth) else { return nil }
    let variables = addresses.map { name in fields[name].flatMap { variable($0, name) } }
    let authorize = fields["authorize"].flatMap { self.fields(of: $0, "authorize", .authorize) }
    let token = fields["token"].flatMap { self.fields(of: $0, "token", .token) }
    let authorizePath = authorize?["path"].flatMap { endpoint($0) }
    let scope = authorize?["scope"].flatMap { text($0, "scope") }
    let tokenPath = token?["path"].flatMap { endpoint($0) }
    let send: OAuthDefinition.Encoding = word(token?["send"], "send") ?? .form
    let extra = token.map { extraFields($0["fields"]) } ?? [:]
    let member = token?["member"].flatMap { text($0, "member") }
    let required = texts(token?["required"], "a name in required")
    let scopes = token?["scopes"] == nil ? nil : texts(token?["scopes"], "a name in scopes")
    guard let base = variables[0], let id = variables[1], let secret = variables[2], let redirect = variables[3],
      let authorizePath, let tokenPath
    else { return nil }
    return OAuthDefinition(
      baseURL: base, clientID: id, clientSecret: secret, redirectURL: redirect, authorizePath: authorizePath, scope: scope,
      tokenPath: tokenPath, send: send, fields: extra, tokenMember: member ?? "access_token", requiredMembers: required,
      knownScopes: scopes)
  }

  private mutating func variable(_ element: Element, _ what: String) -> OAuthDefinition.Variable? {
    guard let fields = fields(of: element, what, .variable) else { return nil }
    let fallback = fields["default"].flatMap { text($0, "the default of \(what)") }
    if what == "clientSecret", fields["default"] != nil {
      report("a definition must not hold a secret; write only env", at: fields.position(of: "default"))
    }
    if what == "baseUrl", let fallback, !fallback.hasPrefix("https://"), !fallback.hasPrefix("http://"),
      let element = fields["default"]
    {
      report("baseUrl must begin with https:// or http://, not \(fallback)", at: element.position)
    }
    if what == "baseUrl", let fallback, let element = fields["default"], !PlainHTTP.mayCarrySecrets(fallback) {
      reportUnlessStored("a code and its token do not go over plain http: say https", at: element.position)
    }
    return fields["env"].flatMap { environmentName($0) }.map { .init($0, fallback: fallback) }
  }

  private mutating func endpoint(_ element: Element) -> String? {
    guard let path = text(element, "path") else { return nil }
    if !path.hasPrefix("/") { report("path must begin with /, like /oauth/token; it is below baseUrl", at: element.position) }
    return path
  }

  private mutating func extraFields(_ element: Element?) -> [String: String] {
    guard let element, !element.isNull else { return [:] }
    guard let members = element.members else {
      report(
        "fields must be a map, like { grant_type: authorization_code }, not \(article(element.kindName))", at: element.position)
      return [:]
    }
    var extra: [String: String] = [:]
    for member in members {
      if ["client_id", "client_secret", "code"].contains(member.name) {
        report("\(member.name) is sent anyway; leave it out", at: member.position)
      } else {
        extra[member.name] = text(member.element, member.name)
      }
    }
    return extra
  }
}
