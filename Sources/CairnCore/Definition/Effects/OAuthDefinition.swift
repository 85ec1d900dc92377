#if CLIENT_ENGINE
  /// The OAuth provider of an app. The engine of a client knows only whether the app has a provider.
  public enum OAuthDefinition: Hashable, Sendable { case unknown }
#else
  /// The OAuth provider, described by names of environment variables. A definition contains no secret.
  public struct OAuthDefinition: Hashable, Sendable {
    /// The page at which a user logs in (RFC 6749, 3.1). It may have a query.
    public var authorizationEndpoint: Variable
    public var tokenEndpoint: Variable
    public var clientID: Variable
    /// The variable with the client secret; `nil` for a public client. It is read when the request is sent, and is never part of a state or an entry.
    public var clientSecret: String?
    public var redirectURL: Variable
    /// The scopes, separated by spaces.
    public var scope: String?
    /// Whether logins have a code challenge (RFC 7636, with S256).
    public var usesPKCE = true
    /// The way in which the client secret is sent to the token endpoint (RFC 6749, 2.3.1).
    public var clientAuth = ClientAuth.body
    /// The encoding of the token request.
    public var encoding = Encoding.form
    /// Additional fields of the token request, by name.
    public var fields: [String: String] = [:]
    public var response = TokenResponse()
    /// Members that the response must contain in addition to the token.
    public var requiredMembers: [String] = []
    /// The only values allowed in the response's `scopes`; `nil` if they are not checked.
    public var knownScopes: [String]?
    /// The parameters of RFC 6749 that are neither sent nor expected, because the provider does not support them.
    public var omitted: Set<Parameter> = []
    /// Whether the token request contains the session's current token.
    public var sendsToken = false

    public enum Encoding: String, Hashable, Sendable, CaseIterable { case form, json, query }

    public enum ClientAuth: String, Hashable, Sendable, CaseIterable { case body, basic }

    /// A parameter of RFC 6749 that a definition may omit.
    public enum Parameter: String, Hashable, Sendable, CaseIterable {
      case responseType = "response_type"
      case redirectURI = "redirect_uri"
      case grantType = "grant_type"
      /// The member of the response that names the type of the token. It is not checked.
      case tokenType = "token_type"
    }

    /// The places in the response of the token endpoint, as JSON Pointers (RFC 6901).
    public struct TokenResponse: Hashable, Sendable {
      public var accessToken = "/access_token"
      public var refreshToken = "/refresh_token"
      /// The lifetime of the access token in seconds.
      public var expiresIn = "/expires_in"
      public var error = "/error"

      public init() {}
    }

    /// A text from an environment variable or from the definition itself.
    public struct Variable: Hashable, Sendable {
      /// The variable's name; `nil` if the definition itself contains the text.
      public var name: String?
      /// The text that is used if the variable is not set; `nil` if there is none.
      public var fallback: String?
      /// A path that is appended to the text, such as `/token`; empty for none.
      public var path: String

      public init(_ name: String?, fallback: String? = nil, path: String = "") {
        self.name = name
        self.fallback = fallback
        self.path = path
      }

      /// The text; `nil` if the variable has neither a value nor a fallback. `value` returns the value of a variable, given its name.
      package func text(_ value: (String) -> String?) -> String? {
        guard let text = name.flatMap(value) ?? fallback else { return nil }
        guard !path.isEmpty else { return text }
        var base = text[...]
        while base.last == "/" { base.removeLast() }
        return base + path
      }

      /// The variable's value in a session's environment, or its fallback; `nil` if the variable has neither.
      public func value(in environment: [String: String]) -> String? { text { environment[$0] } }
    }

    public init(
      authorizationEndpoint: Variable, tokenEndpoint: Variable, clientID: Variable, clientSecret: String? = nil, redirectURL: Variable,
      scope: String? = nil
    ) {
      self.authorizationEndpoint = authorizationEndpoint
      self.tokenEndpoint = tokenEndpoint
      self.clientID = clientID
      self.clientSecret = clientSecret
      self.redirectURL = redirectURL
      self.scope = scope
    }

    /// The names of the environment variables whose values are not secret.
    package var publicVariables: [String] {
      var names: [String] = []
      for variable in [authorizationEndpoint, tokenEndpoint, clientID, redirectURL] {
        if let name = variable.name, !names.contains(name) { names.append(name) }
      }
      return names
    }
  }
#endif
