import CairnCore

// The section about the provider of the access token.
extension MemberTable {
  static let oauth = MemberTable(
    [
      .init(
        "authorizationEndpoint", .oneOf([.text, .object(.endpoint)]), "The URL of the page at which a user logs in; it may have a query.",
        isRequired: true),
      .init("tokenEndpoint", .oneOf([.text, .object(.endpoint)]), "The URL that returns tokens.", isRequired: true),
      .init("clientId", .shared(.variable), "The client id.", isRequired: true),
      .init(
        "clientSecret", .shared(.variable),
        "The environment variable of the client secret; the secret itself is not allowed here. Omit it for a public client."),
      .init("redirectUrl", .shared(.variable), "The URL to which the provider returns the user.", isRequired: true),
      .init("scope", .text, "The scopes, separated by spaces."),
      .init("pkce", .flag, "Whether logins use a code challenge (RFC 7636, S256); true by default."),
      .init("clientAuth", .words(OAuthDefinition.ClientAuth.self), "How the client secret is sent; body by default."),
      .init("encoding", .words(OAuthDefinition.Encoding.self), "The encoding of the token request; form by default."),
      .init("fields", .orNull(.map(of: .text)), "Further fields of the token request."),
      .init(
        "bearer", .word([FactDefinition.accessToken]), "Sends the session's current access token with the token request, as a bearer token."
      ),
      .init("response", .orNull(.object(.tokenResponse)), "JSON Pointers into the response of the token endpoint."),
      .init("required", .oneOrMore(.text), "Members that the response must have in addition to the token."),
      .init("scopes", .oneOrMore(.text), "The values that are allowed in the response's member scopes."),
      .init(
        "omit", .oneOrMore(.words(OAuthDefinition.Parameter.self)),
        "Parameters of RFC 6749 that the provider does not support; they are not sent."),
    ],
    former: [
      .init("baseUrl", .any, "write authorizationEndpoint and tokenEndpoint as complete URLs, or as { env: NAME, path: /… }"),
      .init("authorize", .any, "move its path to authorizationEndpoint, and scope to oauth"),
      .init(
        "token", .any,
        "move its path to tokenEndpoint, and fields, required and scopes to oauth; send is now encoding, and member is response: { accessToken: /… }"
      ),
    ])

  /// The JSON Pointers into the response of the token endpoint.
  static let tokenResponse = MemberTable(
    .init("accessToken", .pattern("^/"), "JSON Pointer to the access token; /access_token by default."),
    .init("refreshToken", .pattern("^/"), "JSON Pointer to the refresh token; /refresh_token by default."),
    .init("expiresIn", .pattern("^/"), "JSON Pointer to the access token's lifetime in seconds; /expires_in by default."),
    .init("error", .pattern("^/"), "JSON Pointer to an error's code; /error by default."))

  static let variable = MemberTable(
    .init("env", .environmentName, "The variable's name.", isRequired: true),
    .init("default", .text, "The value that is used if the variable is not set; not allowed for a secret."))

  /// A variable with a URL.
  static let endpoint = MemberTable(
    variable.members + [.init("path", .pattern("^/"), "Appended to the variable's value, so that two endpoints can share a variable.")])
}
