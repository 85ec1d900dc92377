import CairnCore
import CairnOutbound
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Token calls` {
  private let environment = ["BASE": "", "ID": "id & co"]
  private let good = #"{"client_id": "id", "scopes": ["read", "write"], "token": "tok-1"}"#

  private func oauth(
    _ send: OAuthDefinition.Encoding = .query, base: String? = nil, fields: [String: String] = [:], required: [String] = [],
    scopes: [String]? = nil
  ) -> OAuthDefinition {
    OAuthDefinition(
      baseURL: .init("BASE", fallback: base), clientID: .init("ID"), clientSecret: .init("SECRET"), redirectURL: .init("REDIRECT"),
      authorizePath: "/authorize", tokenPath: "/v2/access_tokens", send: send, fields: fields, tokenMember: "token",
      requiredMembers: required, knownScopes: scopes)
  }

  private func exchange(
    _ oauth: OAuthDefinition, at address: String?, code: String = "c+1/2 =é", bearer: String? = nil, secret: String? = "s&cret"
  ) throws -> OutboundResult {
    let outbound = HTTPOutbound { name in name == "SECRET" ? secret : nil }
    var environment = environment
    environment["BASE"] = address
    return try awaiting { reply in
      _ = outbound.send(.exchange(oauth, environment: environment, code: code, bearer: bearer), reply: reply)
    }
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
    let oauth = oauth(.form, fields: ["grant_type": "authorization_code", "a": "b c"])
    #expect(try exchange(oauth, at: server.address + "/") == .token("tok-1"))
    let request = try server.request()
    #expect(request.line == "POST /v2/access_tokens HTTP/1.1")
    #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
    #expect(
      request.body
        == "client_id=id%20%26%20co&client_secret=s%26cret&code=c%2B1%2F2%20%3D%C3%A9&a=b%20c&grant_type=authorization_code")
  }

  @Test func `parameters as JSON are members of an object`() throws {
    let server = try TinyServer(body: good)
    #expect(try exchange(oauth(.json, fields: ["grant_type": "authorization_code"]), at: server.address) == .token("tok-1"))
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

  @Test func `an existing token is sent, and an empty one is not`() throws {
    let server = try TinyServer(body: good)
    _ = try exchange(oauth(), at: server.address, bearer: "old")
    _ = try exchange(oauth(), at: server.address, bearer: "")
    #expect(try server.request(0).header("Authorization") == "Bearer old")
    #expect(try server.request(1).header("Authorization") == nil)
  }

  @Test func `an unset variable has its fallback value`() throws {
    let server = try TinyServer(body: good)
    #expect(try exchange(oauth(base: server.address), at: nil) == .token("tok-1"))
  }

  @Test func `an unset variable is reported by name`() throws {
    #expect(try exchange(oauth(), at: nil) == .failed("oauth-not-configured: BASE is not set"))
    #expect(try exchange(oauth(), at: "http://127.0.0.1:9", secret: nil) == .failed("oauth-not-configured: SECRET is not set"))
  }

  @Test(arguments: [
    (#"[]"#, "not a JSON object"), (#"{"scopes": [], "client_id": "i"}"#, "token is not a string"),
    (#"{"token": 5, "scopes": [], "client_id": "i"}"#, "token is not a string"),
    (#"{"token": "t", "scopes": []}"#, "client_id is missing"),
    (#"{"token": "t", "scopes": [], "client_id": null}"#, "client_id is missing"),
    (#"{"token": "t", "client_id": "i"}"#, "scopes is not a list"),
    (#"{"token": "t", "client_id": "i", "scopes": ["read", "admin"]}"#, "scopes holds one that is not known"),
    (#"{"token": "t", "client_id": "i", "scopes": [1]}"#, "scopes holds one that is not known"),
    (#"token=t"#, "not JSON"), ("", "not JSON"),
  ])
  func `a response without the declared members is rejected`(_ body: String, _ reason: String) throws {
    let server = try TinyServer(body: body)
    let oauth = oauth(required: ["client_id"], scopes: ["read", "write"])
    #expect(try exchange(oauth, at: server.address) == .failed("malformed: \(reason)"))
  }

  @Test func `a response with the declared members is accepted`() throws {
    let server = try TinyServer(body: good)
    let oauth = oauth(required: ["client_id", "scopes"], scopes: ["read", "write", "delete"])
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
