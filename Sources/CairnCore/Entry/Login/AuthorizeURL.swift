#if !CLIENT_ENGINE
  extension OAuthDefinition {
    /// The URL of the login page (RFC 6749, 4.1.1; RFC 7636, 4.3). Parameters that the endpoint's own query already contains are not added.
    func authorizeURL(environment: [String: String], login: LoginNonce) -> String {
      let endpoint = (authorizationEndpoint.value(in: environment) ?? "").prefix { $0 != "#" }
      let query = endpoint.drop { $0 != "?" }.dropFirst()
      let present = query.split(separator: "&").map { String($0.prefix { $0 != "=" }) }
      var items: [String] = []
      func add(_ name: String, _ value: String?) {
        if let value, !present.contains(name) { items.append("\(name)=\(PercentCoding.encodeForm(value))") }
      }
      add("response_type", omitted.contains(.responseType) ? nil : "code")
      add("client_id", clientID.value(in: environment) ?? "")
      add("redirect_uri", omitted.contains(.redirectURI) ? nil : redirectURL.value(in: environment))
      add("scope", scope)
      add("state", login.text)
      if usesPKCE, let challenge = login.challenge {
        add("code_challenge", challenge)
        add("code_challenge_method", "S256")
      }
      let separator = !endpoint.contains("?") ? "?" : query.isEmpty || query.hasSuffix("&") ? "" : "&"
      return "\(endpoint)\(separator)\(items.joined(separator: "&"))"
    }
  }
#endif
