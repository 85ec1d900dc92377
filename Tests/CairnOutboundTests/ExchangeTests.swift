import CairnCore
import CairnOutbound
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Token calls` {
  private let environment = ["BASE": "", "ID": "id & co"]
  private let good = #"{"client_id": "id", "scopes": ["read", "write"], "token": "tok-1"}"#

  private func oauth(
    _ encoding: OAuthDefinition.Encoding = .query, base: String? = nil,
    omitted: Set<OAuthDefinition.Parameter> = [.grantType, .redirectURI],
    _ change: (inout OAuthDefinition) -> Void = { _ in }
  ) -> OAuthDefinition {
    var oauth = OAuthDefinition(
      authorizationEndpoint: .init("BASE", path: "/authorize"), tokenEndpoint: .init("BASE", fallback: base, path: "/v2/access_tokens"),
      clientID: .init("ID"), clientSecret: "SECRET", redirectURL: .init("REDIRECT", fallback: "app://cb"))
    oauth.encoding = encoding
    oauth.omitted = omitted
    oauth.response.accessToken = "/token"
    change(&oauth)
    return oauth
  }

  private func exchange(
    _ oauth: OAuthDefinition, at address: String?, code: String = "c+1/2 =é", verifier: String? = nil, bearer: String? = nil,
    secret: String? = "s&cret"
  ) throws -> OutboundResult {
    try send(at: address, secret: secret) { .exchange(oauth, environment: $0, code: code, verifier: verifier, bearer: bearer) }
  }

  private func send(at address: String?, secret: String? = "s&cret", _ call: ([String: String]) -> OutboundCall) throws -> OutboundResult {
    let outbound = HTTPOutbound { name in name == "SECRET" ? secret : nil }
    var environment = environment
    environment["BASE"] = address
    let made = call(environment)
    return try awaiting { reply in _ = outbound.send(made, reply: reply) }
  }

  @Test func `parameters in the query are complete, and the body is empty`() throws {
    let server = try TinyServer("201 Created", body: good)
    #expect(try exchange(oauth(.query), at: server.address + "/api") == .token("tok-1"))
    let request = try server.request()
    #expect(
      request.line
        == "POST /api/v2/access_tokens?client_id=id%20%26%20co&client_secret=s%26cret&code=c%2B1%2F2%20%3D%C3%A9 HTTP/1.1")
    #expect(request.body.isEmpty)
    #expect(request.header("Content-Length") ?? "0" == "0")
    #expect(request.header("Accept") == "application/json")
    #expect(request.header("Authorization") == nil)
  }

  @Test func `parameters of a form are in the body`() throws {
    let server = try TinyServer(body: good)
    let oauth = oauth(.form, omitted: []) { $0.fields = ["a": "b c"] }
    #expect(try exchange(oauth, at: server.address + "/") == .token("tok-1"))
    let request = try server.request()
    #expect(request.line == "POST /v2/access_tokens HTTP/1.1")
    #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(
      request.body
        == "client_id=id%20%26%20co&client_secret=s%26cret&grant_type=authorization_code&code=c%2B1%2F2%20%3D%C3%A9"
        + "&redirect_uri=app%3A%2F%2Fcb&a=b%20c")
  }

  @Test func `a public client sends a verifier and no secret`() throws {
    let server = try TinyServer(body: good)
    #expect(
      try exchange(oauth(.form, omitted: []) { $0.clientSecret = nil }, at: server.address, code: "c", verifier: "v", secret: nil)
        == .token("tok-1"))
    #expect(
      try server.request().body
        == "client_id=id%20%26%20co&grant_type=authorization_code&code=c&redirect_uri=app%3A%2F%2Fcb&code_verifier=v")
  }

  @Test func `basic authentication encodes id and secret as in a form, and the body has neither`() throws {
    let server = try TinyServer(body: good)
    #expect(try exchange(oauth(.form) { $0.clientAuth = .basic }, at: server.address, code: "c", bearer: "old") == .token("tok-1"))
    let request = try server.request()
    #expect(request.header("Authorization") == "Basic \(Data("id+%26+co:s%26cret".utf8).base64EncodedString())")
    #expect(request.body == "code=c")
  }

  @Test func `a refresh presents the refresh token`() throws {
    let server = try TinyServer(body: #"{"token": "t2", "refresh_token": "r2", "expires_in": "3600"}"#)
    let oauth = oauth(.form)
    #expect(
      try send(at: server.address) { .token(TokenCall(oauth, environment: $0, .refresh("r1"))) }
        == .tokens(TokenSet("t2", refresh: "r2", lifetime: 3_600)))
    #expect(
      try server.request().body
        == "client_id=id%20%26%20co&client_secret=s%26cret&grant_type=refresh_token&refresh_token=r1")
  }

  @Test func `members of the response are found by JSON Pointer`() throws {
    // The response of Slack, whose token_type is not that of RFC 6749.
    let server = try TinyServer(
      body: #"{"ok": true, "token_type": "bot", "authed_user": {"access_token": "xoxe-1", "refresh_token": "r", "expires_in": 43200.0}}"#)
    let oauth = oauth(.form, omitted: [.tokenType]) { oauth in
      oauth.response.accessToken = "/authed_user/access_token"
      oauth.response.refreshToken = "/authed_user/refresh_token"
      oauth.response.expiresIn = "/authed_user/expires_in"
    }
    #expect(try exchange(oauth, at: server.address) == .tokens(TokenSet("xoxe-1", refresh: "r", lifetime: 43_200)))
    let refused = try TinyServer(body: #"{"ok": false, "error": "invalid_code"}"#)
    #expect(try exchange(oauth, at: refused.address) == .failed("invalid_code"))
  }

  @Test(arguments: [
    ("400 Bad Request", #"{"error": "invalid_grant", "error_description": "expired"}"#, "invalid_grant: expired"),
    ("401 Unauthorized", #"{"error": "invalid_client"}"#, "invalid_client"),
    (
      "200 OK", #"{"error": "bad_verification_code", "error_description": "two\nlines\u202e"}"#,
      "bad_verification_code: two\u{FFFD}lines\u{FFFD}"
    ),
    ("400 Bad Request", #"{"error": "\#(String(repeating: "e", count: 5_000))"}"#, String(repeating: "e", count: 200) + "…"),
    ("400 Bad Request", #"{"error": ""}"#, "http-status: 400"), ("400 Bad Request", "oops", "http-status: 400"),
    ("400 Bad Request", #"{"error": {"code": 1}}"#, "http-status: 400"),
  ])
  func `the provider's error is the reason, bounded and without control characters`(_ status: String, _ body: String, _ reason: String)
    throws
  {
    let server = try TinyServer(status, body: body)
    #expect(try exchange(oauth(), at: server.address) == .failed(reason))
  }

  @Test(arguments: [
    (#""""#, "token must not be empty"), (#""two words""#, "token must consist of visible ASCII characters, without spaces"),
    (#""a\nb""#, "token must consist of visible ASCII characters, without spaces"),
    (#""é""#, "token must consist of visible ASCII characters, without spaces"),
    ("\"\(String(repeating: "t", count: 8_193))\"", "token must have at most 8192 bytes"),
    (#""t", "refresh_token": "a b""#, "refresh_token must consist of visible ASCII characters, without spaces"),
    (#""t", "token_type": "mac""#, "token_type is not Bearer"), (#""t", "token_type": 1"#, "token_type is not Bearer"),
  ])
  func `a token that cannot be used fails the login`(_ token: String, _ reason: String) throws {
    let server = try TinyServer(body: #"{"token": \#(token)}"#)
    #expect(try exchange(oauth(), at: server.address) == .failed("malformed: \(reason)"))
  }

  @Test(arguments: [#", "token_type": "bearer""#, #", "token_type": null"#, #", "expires_in": "soon""#, #", "refresh_token": """#, ""])
  func `a bearer token is accepted, whatever the optional members contain`(_ rest: String) throws {
    let server = try TinyServer(body: #"{"token": "t"\#(rest)}"#)
    #expect(try exchange(oauth(), at: server.address) == .token("t"))
  }

  @Test func `parameters as JSON are members of an object`() throws {
    let server = try TinyServer(body: good)
    #expect(try exchange(oauth(.json, omitted: [.redirectURI]), at: server.address) == .token("tok-1"))
    let request = try server.request()
    #expect(request.header("Content-Type") == "application/json")
    let echo = try TinyServer(body: request.body)
    let outbound = HTTPOutbound { _ in nil }
    #expect(
      try awaiting { reply in _ = outbound.send(.get(url: echo.address, bearer: nil), reply: reply) }
        == .json([
          "client_id": "id & co", "client_secret": "s&cret", "code": "c+1/2 =é", "grant_type": "authorization_code",
        ]))
  }

  @Test func `an existing token goes along if the definition says so`() throws {
    let server = try TinyServer(body: good)
    _ = try exchange(oauth(), at: server.address, bearer: "old")
    #expect(try server.request(0).header("Authorization") == "Bearer old")
  }

  @Test func `an unset variable has its fallback value`() throws {
    let server = try TinyServer(body: good)
    #expect(try exchange(oauth(base: server.address), at: nil) == .token("tok-1"))
  }

  @Test func `an unset variable is reported by name`() throws {
    #expect(try exchange(oauth(), at: nil) == .failed("oauth-not-configured: the environment variable BASE is not set"))
    #expect(
      try exchange(oauth(), at: "http://127.0.0.1:9", secret: nil)
        == .failed("oauth-not-configured: the environment variable SECRET is not set"))
  }

  @Test(arguments: [
    (#"[]"#, "not a JSON object"), (#"{"scopes": [], "client_id": "i"}"#, "token is not a string"),
    (#"{"token": 5, "scopes": [], "client_id": "i"}"#, "token is not a string"),
    (#"{"token": "t", "scopes": []}"#, "client_id is missing"),
    (#"{"token": "t", "scopes": [], "client_id": null}"#, "client_id is missing"),
    (#"{"token": "t", "client_id": "i"}"#, "scopes is not a list"),
    (#"{"token": "t", "client_id": "i", "scopes": ["read", "admin"]}"#, "scopes contains an unexpected scope"),
    (#"{"token": "t", "client_id": "i", "scopes": [1]}"#, "scopes contains an unexpected scope"),
    (#"token=t"#, "not JSON"), ("", "not JSON"),
  ])
  func `a response without the declared members is rejected`(_ body: String, _ reason: String) throws {
    let server = try TinyServer(body: body)
    let oauth = oauth { ($0.requiredMembers, $0.knownScopes) = (["client_id"], ["read", "write"]) }
    #expect(try exchange(oauth, at: server.address) == .failed("malformed: \(reason)"))
  }

  @Test func `a response with the declared members is accepted`() throws {
    let server = try TinyServer(body: good)
    let oauth = oauth { ($0.requiredMembers, $0.knownScopes) = (["client_id", "scopes"], ["read", "write", "delete"]) }
    #expect(try exchange(oauth, at: server.address) == .token("tok-1"))
  }

  @Test(arguments: [OAuthDefinition.Encoding.query, .form, .json]) func `a failed call reveals no secret`(_ send: OAuthDefinition.Encoding)
    throws
  {
    let dead = try TinyServer(body: "")
    dead.stop()
    let broken = try TinyServer("500 code c-777 secret s-777", body: "c-777 s-777")
    for address in [dead.address, broken.address, "http://s-777 c-777", "gopher://s-777"] {
      guard case .failed(let reason) = try exchange(oauth(send), at: address, code: "c-777", secret: "s-777") else {
        Issue.record("\(address) brought something")
        continue
      }
      #expect(!reason.contains("777"), "\(reason)")
    }
  }
}
