import CairnCore

// The section about the provider of the access token.
extension MemberTable {
  static let oauth = MemberTable(
    [
      .init(
        "authorizationEndpoint", .oneOf([.text, .object(.endpoint)]), "The URL of the page at which a user logs in; it may have a query.",
        isRequired: true),
      .init("tokenEndpoint", .oneOf([.text, .object(.endpoint)]), "The URL that returns tokens.", isRequired: true),
      .init("clientId", .shared(.variable), "The client's id.", isRequired: true),
      .init("clientSecret", .shared(.variable), "The client's secret: its variable, never its value. Omit it for a public client."),
      .init("redirectUrl", .shared(.variable), "The URL to which the provider returns the user.", isRequired: true),
      .init("scope", .text, "The scopes, separated by spaces."),
      .init("pkce", .flag, "Whether logins have a code challenge (RFC 7636, S256); true by default."),
      .init("clientAuth", .words(OAuthDefinition.ClientAuth.self), "How the client secret is sent; body by default."),
      .init("encoding", .words(OAuthDefinition.Encoding.self), "The encoding of the token request; form by default."),
      .init("fields", .orNull(.map(of: .text)), "Further fields of the token request."),
      .init("bearer", .word([FactDefinition.accessToken]), "The session's present token goes along with the token request."),
      .init("response", .orNull(.object(.tokenResponse)), "JSON Pointers into the response of the token endpoint."),
      .init("required", .oneOrMore(.text), "Members that the response must have beside the token."),
      .init("scopes", .oneOrMore(.text), "The only values allowed in the response's member scopes."),
      .init("omit", .oneOrMore(.words(OAuthDefinition.Parameter.self)), "Parameters of RFC 6749 that the provider does not know."),
    ],
    former: [
      "baseUrl": "give authorizationEndpoint and tokenEndpoint as whole URLs, or { env: NAME, path: /… }",
      "authorize": "its path belongs to authorizationEndpoint, and scope stands in oauth",
      "token":
        "its path belongs to tokenEndpoint, send is encoding, member is response: { accessToken: /… }, and fields, required and scopes stand in oauth",
    ])

  /// The places in the response of the token endpoint.
  static let tokenResponse = MemberTable(
    .init("accessToken", .pattern("^/"), "The access token; /access_token by default."),
    .init("refreshToken", .pattern("^/"), "The refresh token; /refresh_token by default."),
    .init("expiresIn", .pattern("^/"), "The lifetime of the access token in seconds; /expires_in by default."),
    .init("error", .pattern("^/"), "The code of an error; /error by default."))

  static let variable = MemberTable(
    .init("env", .environmentName, "The variable's name.", isRequired: true),
    .init("default", .text, "The value if it is not set; not for a secret."))

  /// A variable with a URL.
  static let endpoint = MemberTable(
    variable.members + [.init("path", .pattern("^/"), "Appended to the variable's value, so that two endpoints can share a variable.")])
}
