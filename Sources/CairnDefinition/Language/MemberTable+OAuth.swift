import CairnCore

// Describes the members of the section about the provider of the access token.
extension MemberTable {
  static let oauth = MemberTable(
    [
      .init(
        "authorizationEndpoint", .oneOf([.text, .object(.endpoint)]),
        "URL of the provider's page on which a user logs in. Its query is kept; the parameters of the login are appended.",
        isRequired: true),
      .init(
        "tokenEndpoint", .oneOf([.text, .object(.endpoint)]),
        "URL at which the service exchanges a code, or a refresh token, for an access token.", isRequired: true),
      .init("clientId", .shared(.variable), "Id of the app at the provider.", isRequired: true),
      .init(
        "clientSecret", .shared(.variable),
        "Environment variable that contains the app's secret at the provider; the secret itself is not allowed here. Omit it for a public client."
      ),
      .init(
        "redirectUrl", .shared(.variable),
        "Redirect URL of the app: the provider sends the user to it after the login, and the app opens it in the session.", isRequired: true
      ),
      .init("scope", .text, "Scopes that the login requests, separated by spaces (default: none)."),
      .init("pkce", .flag, "Whether logins use a code challenge (RFC 7636, S256; default: true)."),
      .init(
        "clientAuth", .words(OAuthDefinition.ClientAuth.self),
        "Place of id and secret in the token request: `body` (default), or `basic` for an Authorization header."),
      .init(
        "encoding", .words(OAuthDefinition.Encoding.self), "Encoding of the token request's fields: `form` (default), `json` or `query`."),
      .init("fields", .orNull(.map(of: .text)), "Further fields of the token request, by name."),
      .init(
        "bearer", .word([FactDefinition.accessToken]),
        "`accessToken`: the token request has the session's current access token as a bearer token."
      ),
      .init(
        "response", .orNull(.object(.tokenResponse)),
        "JSON Pointers to the values in the token endpoint's response, if its members are not those of RFC 6749."),
      .init("required", .oneOrMore(.text), "Members that the response must have in addition to the token; otherwise the login fails."),
      .init(
        "scopes", .oneOrMore(.text),
        "Values that the response's member `scopes` may have; with any other value the login fails (default: not checked)."),
      .init(
        "omit", .oneOrMore(.words(OAuthDefinition.Parameter.self)),
        "Parameters of RFC 6749 that the provider does not support, and that are therefore neither sent nor checked."),
    ],
    former: [
      .init("baseUrl", .any, "write `authorizationEndpoint` and `tokenEndpoint` as complete URLs, or as `{ env: NAME, path: /… }`"),
      .init("authorize", .any, "move its path to `authorizationEndpoint`, and `scope` to `oauth`"),
      .init(
        "token", .any,
        "move its path to `tokenEndpoint`, and `fields`, `required` and `scopes` to `oauth`; `send` is now `encoding`, and `member` is `response: { accessToken: /… }`"
      ),
    ])

  /// The members with JSON Pointers to the values in the token endpoint's response, for a response without the members of RFC 6749.
  static let tokenResponse = MemberTable(
    .init("accessToken", .pattern("^/"), "JSON Pointer to the access token (default: `/access_token`)."),
    .init("refreshToken", .pattern("^/"), "JSON Pointer to the refresh token (default: `/refresh_token`)."),
    .init("expiresIn", .pattern("^/"), "JSON Pointer to the access token's lifetime in seconds (default: `/expires_in`)."),
    .init("error", .pattern("^/"), "JSON Pointer to an error's code (default: `/error`)."))

  static let variable = MemberTable(
    .init("env", .environmentName, "Name of the environment variable.", isRequired: true),
    .init("default", .text, "Value that is used if the variable is not set; not allowed for a secret."))

  /// A variable with a URL.
  static let endpoint = MemberTable(
    variable.members + [
      .init("path", .pattern("^/"), "Path that is appended to the variable's value, so that two endpoints can share a variable.")
    ])
}
