/// The OAuth provider, by the names of environment variables: no value of the environment is part of a definition.
public struct OAuthDefinition: Hashable, Sendable {
  public var baseURL: Variable
  public var clientID: Variable
  /// Read when the call is sent; never part of a state or an entry.
  public var clientSecret: Variable
  public var redirectURL: Variable
  /// Below the base URL.
  public var authorizePath: String
  /// Put into the query as it is written.
  public var scope: String?
  public var tokenPath: String
  /// How the fields of the token call are sent.
  public var send: Encoding
  /// Further fields of the token call (`grant_type`, say).
  public var fields: [String: String]
  /// The member of the reply that holds the token, and those that must be there beside it.
  public var tokenMember: String
  public var requiredMembers: [String]
  /// The only values allowed in the reply's `scopes`; nil: not looked at.
  public var knownScopes: [String]?

  public enum Encoding: String, Hashable, Sendable, CaseIterable { case query, form, json }

  /// An environment variable and what stands for it when it is not set.
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
