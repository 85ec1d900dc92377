/// The OAuth provider, described by names of environment variables. A definition contains no values of the environment.
public struct OAuthDefinition: Hashable, Sendable {
  public var baseURL: Variable
  public var clientID: Variable
  /// The client secret. It is read when the request is sent, and is never part of a state or an entry.
  public var clientSecret: Variable
  public var redirectURL: Variable
  /// The path of the login page below the base URL.
  public var authorizePath: String
  /// The scope, inserted into the query unchanged.
  public var scope: String?
  public var tokenPath: String
  /// The encoding of the fields of the token exchange.
  public var send: Encoding
  /// Further fields of the token exchange, such as `grant_type`.
  public var fields: [String: String]
  /// The member of the response that contains the token. `requiredMembers` must exist too.
  public var tokenMember: String
  public var requiredMembers: [String]
  /// The only values allowed in the response's `scopes`; `nil` if they are not checked.
  public var knownScopes: [String]?

  public enum Encoding: String, Hashable, Sendable, CaseIterable { case query, form, json }

  /// An environment variable, and the value that is used if the variable is not set.
  public struct Variable: Hashable, Sendable {
    public var name: String
    public var fallback: String?

    public init(_ name: String, fallback: String? = nil) {
      self.name = name
      self.fallback = fallback
    }
  }

  public init(
    baseURL: Variable, clientID: Variable, clientSecret: Variable, redirectURL: Variable, authorizePath: String,
    scope: String? = nil, tokenPath: String, send: Encoding = .form, fields: [String: String] = [:],
    tokenMember: String = "access_token", requiredMembers: [String] = [], knownScopes: [String]? = nil
  ) {
    self.baseURL = baseURL
    self.clientID = clientID
    self.clientSecret = clientSecret
    self.redirectURL = redirectURL
    self.authorizePath = authorizePath
    self.scope = scope
    self.tokenPath = tokenPath
    self.send = send
    self.fields = fields
    self.tokenMember = tokenMember
    self.requiredMembers = requiredMembers
    self.knownScopes = knownScopes
  }
}
