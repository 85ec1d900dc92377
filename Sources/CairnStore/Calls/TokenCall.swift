package import CairnCore

/// A token request (RFC 6749, 4.1.3 and 6), in the form that the definition's `oauth` specifies.
package struct TokenCall: Hashable, Sendable {
  package var oauth: OAuthDefinition
  package var environment: [String: String]
  package var grant: Grant
  /// The session's access token, for a provider that requires it; `nil` if it is not sent. Must never be logged.
  package var bearer: String?

  /// The credentials that are exchanged for a token. Must never be logged.
  package enum Grant: Hashable, Sendable {
    case code(String, verifier: String?)
    case refresh(String)
  }

  package init(_ oauth: OAuthDefinition, environment: [String: String], _ grant: Grant, bearer: String? = nil) {
    self.oauth = oauth
    self.environment = environment
    self.grant = grant
    self.bearer = bearer
  }
}
