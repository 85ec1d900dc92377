import CairnCore
import CairnHTTP
import CairnCrypto
import CairnTesting
import Foundation
import Testing

@Suite struct `Proof keys` {
  @Test func `a challenge is that of RFC 7636, appendix B`() {
    #expect(
      ProofKeys.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `a verifier depends only on the key and the login, and has 43 unreserved characters`() {
    let (one, other) = (ProofKeys(key: [1, 2, 3]), ProofKeys(key: [1, 2, 4]))
    #expect(one.verifier(of: "a") == ProofKeys(key: [1, 2, 3]).verifier(of: "a"))
    #expect(Set([one.verifier(of: "a"), one.verifier(of: "b"), other.verifier(of: "a")]).count == 3)
    #expect(one.verifier(of: "a").count == 43 && one.verifier(of: "a").allSatisfy { $0.isLetter || $0.isNumber || "-_".contains($0) })
  }
}

/// Logins against a strict authorization server. The service is the compiled program.
@Suite(.tags(.timing), .ownThreads) struct `Logins with OAuth` {
  private static func app(_ provider: AuthorizationServer) -> String {
    let rest =
      switch provider.manner {
      case .publicClient: ""
      case .basic: "clientSecret: { env: LOGIN_SECRET }, clientAuth: basic, "
      case .google, .github: "clientSecret: { env: LOGIN_SECRET }, pkce: false, "
      case .slack:
        "clientSecret: { env: LOGIN_SECRET }, omit: token_type, response: { accessToken: /authed_user/access_token, "
          + "refreshToken: /authed_user/refresh_token, expiresIn: /authed_user/expires_in }, "
      }
    return """
      app: signed
      language: 1
      compat: { emits: any }
      root: { flow: main }
      allowHosts: ["\(provider.url.dropFirst("http://".count))"]
      screens: { home: , login: { params: { url: string } }, profile: , welcome: }
      steps: { signIn: , call: , in: , out: , done: , failed: }
      rules:
        - { when: { fact: accessToken, is: present }, send: in }
        - { when: { fact: accessToken, is: absent }, send: out }
      flows:
        main:
          stack: home
          handle:
            signIn: { push: login, with: { url: $oauth.authorizeUrl } }
            in: { set: [home, profile] }
            out: { set: [home] }
            call: { load: { get: "\(provider.url)/api", bearer: accessToken, then: done, else: failed, restart: true }, of: profile }
            done: { push: welcome }
            failed: []
      oauth: { \(rest)authorizationEndpoint: "\(provider.url)/authorize", tokenEndpoint: "\(provider.url)/token",
        clientId: { env: LOGIN_ID, default: client }, redirectUrl: { env: LOGIN_REDIRECT, default: "\(AuthorizationServer.redirect)" },
        scope: openid a/b }
      """
  }

  private func service(_ provider: AuthorizationServer) async throws -> Service {
    try await Service(environment: ["LOGIN_SECRET": AuthorizationServer.secret], apps: ["signed.yaml": Self.app(provider)])
  }

  /// Opens the login page, logs in there, and returns the redirect.
  private func redirect(_ session: Driven, _ provider: AuthorizationServer) async throws -> String {
    let page = try await session.step("signIn")
    guard case .string(let url)? = page.json.at(["visible", "params", "url"]) else { throw Service.Failure("no page: \(page.text)") }
    return try #require(provider.logIn(at: url), "\(url)")
  }

  private func loggedIn(_ session: Driven) async throws {
    _ = try await session.until { $0.json.at(["login", "status"]) == "loggedIn" && $0.routes == ["home", "profile"] }
  }

  @Test(arguments: AuthorizationServer.Manner.allCases)
  func `a login, a load, a refresh and a load hold for each kind of provider`(_ manner: AuthorizationServer.Manner) async throws {
    let provider = try AuthorizationServer(manner)
    let service = try await service(provider)
    let session = try await service.session("signed")
    _ = try await session.open(redirect(session, provider))
    try await loggedIn(session)
    _ = try await session.step("call")
    _ = try await session.until { $0.routes.last == "welcome" }
    _ = try await session.act(["type": "pop"])
    provider.forgetAccessTokens()
    _ = try await session.step("call")
    _ = try await session.until { $0.routes.last == "welcome" }
    let grants = provider.tokenRequests.map { AuthorizationServer.form($0.body)["grant_type"] }
    #expect(grants == ["authorization_code", "refresh_token"])
    #expect(provider.bearers == ["Bearer access-2", "Bearer access-2", "Bearer access-3"])
    let told = try await session.get("/history").text + session.get().text + String(contentsOf: service.log, encoding: .utf8)
    for secret in ["access-2", "access-3", "refresh-2", "refresh-3", "code-1"] { #expect(!told.contains(secret), "\(secret)") }
  }

  @Test func `a redirect that is delivered four times at once, and once more after a crash, asks for one token`() async throws {
    let provider = try AuthorizationServer()
    let service = try await service(provider)
    let session = try await service.session("signed")
    let url = try await redirect(session, provider)
    async let one = session.open(url)
    async let two = session.open(url)
    async let three = session.open(url)
    async let four = session.open(url)
    #expect(try await [one.status, two.status, three.status, four.status].sorted() == [202, 409, 409, 409])
    try await loggedIn(session)
    service.crash()
    try await service.start()
    #expect(try await session.open(url).code == "oauth-state-mismatch")
    #expect(try await session.open(url.replacing("code-1", with: "other")).code == "oauth-state-mismatch")
    #expect(provider.tokenRequests.count == 1)
  }

  @Test func `a login page that was opened before a crash still has its verifier`() async throws {
    let provider = try AuthorizationServer()
    let service = try await service(provider)
    let session = try await service.session("signed")
    let url = try await redirect(session, provider)
    service.crash()
    try await service.start()
    #expect(try await session.open(url).status == 202)
    try await loggedIn(session)
    let verifier = try #require(AuthorizationServer.form(provider.tokenRequests[0].body)["code_verifier"])
    #expect(verifier.count == 43)
    let told = try await session.get("/history").text + session.get().text + String(contentsOf: service.log, encoding: .utf8)
    #expect(!told.contains(verifier))
    #expect(try Data(contentsOf: service.database).range(of: Data(verifier.utf8)) == nil)
  }

  @Test func `after a refused code the page has a new state and challenge, with which the login works`() async throws {
    let provider = try AuthorizationServer()
    let service = try await service(provider)
    let session = try await service.session("signed")
    let url = try await redirect(session, provider)
    #expect(try await session.open(url.replacing("code-1", with: "stolen")).status == 202)
    let failed = try await session.until { $0.json.at(["login", "status"]) == "failed" }
    #expect(failed.json.at(["login", "reason"]) == "invalid_grant: as told")
    try await service.logged("invalid_grant: as told")
    guard case .string(let page)? = failed.json.at(["visible", "params", "url"]) else { throw Service.Failure("no page: \(failed.text)") }
    #expect(try await session.open(#require(provider.logIn(at: page))).status == 202)
    try await loggedIn(session)
  }

  @Test func `a token that expired at once is refreshed once for each load, and the tokens rotate`() async throws {
    let provider = try AuthorizationServer(lifetime: 0)
    let service = try await service(provider)
    let session = try await service.session("signed")
    _ = try await session.open(redirect(session, provider))
    try await loggedIn(session)
    for _ in 1...2 {
      _ = try await session.step("call")
      _ = try await session.until { $0.routes.last == "welcome" }
      _ = try await session.act(["type": "pop"])
    }
    let refreshed = provider.tokenRequests.dropFirst().map { AuthorizationServer.form($0.body)["refresh_token"] }
    #expect(refreshed == ["refresh-2", "refresh-3"])
    #expect(provider.bearers == ["Bearer access-3", "Bearer access-4"])
  }

  @Test func `when the provider refuses the refresh, the user has to log in again`() async throws {
    let provider = try AuthorizationServer()
    let service = try await service(provider)
    let session = try await service.session("signed")
    _ = try await session.open(redirect(session, provider))
    try await loggedIn(session)
    provider.forgetAccessTokens()
    provider.forgetRefreshTokens()
    _ = try await session.step("call")
    let out = try await session.until { $0.routes == ["home"] }
    #expect(out.json.at(["login", "status"]) == "failed")
    #expect(out.json.at(["login", "reason"]) == "invalid_grant: as told")
    #expect(out.json.at(["facts", "accessToken"]) != true)
    try await service.logged("invalid_grant: as told")
    _ = try await session.open(redirect(session, provider))
    try await loggedIn(session)
  }
}
