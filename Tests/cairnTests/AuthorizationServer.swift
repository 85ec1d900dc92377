import CairnHTTP
import CairnRuntime
import CairnCrypto
import CairnTesting
import Foundation

/// An authorization server and its API on loopback, strict about RFC 6749, 7636 and 9700. Codes are valid once and for their challenge, and
/// refresh tokens rotate. The second use of a code or refresh token revokes all tokens of its login.
final class AuthorizationServer: Sendable {
  /// The conventions of a provider, as its documentation describes them.
  enum Manner: String, Sendable, CaseIterable {
    /// A public client with PKCE, as Auth0 and OAuth 2.1 describe it.
    case publicClient
    /// A confidential client with `client_secret_basic`, as Keycloak describes it.
    case basic
    /// A confidential client with `client_secret_post`, as Google describes it; a refresh returns no new refresh token.
    case google
    /// Errors have the status 200, and responses are forms unless the client accepts JSON.
    case github
    /// The token is a member of `authed_user`, and errors are `ok: false`.
    case slack
  }

  private struct State {
    var codes: [String: (challenge: String?, login: Int, isUsed: Bool)] = [:]
    var access: [String: Int] = [:]
    var refresh: [String: (login: Int, isUsed: Bool)] = [:]
    var revoked: Set<Int> = []
    var count = 0
  }

  let manner: Manner
  static let redirect = "https://app.example/cb"
  static let secret = "se:cret &"
  private let lifetime: Int?
  private let state = Lock(State())
  private let noted: Monitor<[Request]>
  private let server: Lock<Server?>

  init(_ manner: Manner = .publicClient, lifetime: Int? = 3_600) throws {
    self.manner = manner
    self.lifetime = lifetime
    noted = Monitor<[Request]>([])
    server = Lock(nil)
    let started = try Server(
      host: "127.0.0.1", port: 0, fault: { _, _ in Response(status: 400) },
      handler: { [weak self] request, _ in .now(self?.response(to: request) ?? Response(status: 503)) })
    server.withLock { $0 = started }
  }

  deinit {
    server.withLock { server in
      server?.stopAccepting()
      server?.stop()
    }
  }

  var url: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }

  /// The requests to the token endpoint.
  var tokenRequests: [Request] { noted.withLock { $0.filter { $0.rawPath == "/token" } } }

  /// The values of `Authorization` of the requests to the API.
  var bearers: [String?] { noted.withLock { $0.filter { $0.rawPath == "/api" }.map { $0.headers["authorization"] } } }

  /// Invalidates all access tokens, as if the provider had forgotten them.
  func forgetAccessTokens() { state.withLock { $0.access = [:] } }

  /// Invalidates all refresh tokens, as if the user had withdrawn the consent.
  func forgetRefreshTokens() { state.withLock { $0.refresh = [:] } }

  /// Logs a user in at the page of this URL. Returns the URL to which the page redirects, or `nil` if the URL is not valid.
  func logIn(at page: String) -> String? {
    guard let parts = URLComponents(string: page), page.hasPrefix("\(url)/authorize?") else { return nil }
    let items = Dictionary(grouping: parts.queryItems ?? [], by: \.name)
    // A parameter must not be included more than once (RFC 6749, 3.1).
    guard items.values.allSatisfy({ $0.count == 1 }) else { return nil }
    func value(_ name: String) -> String? { items[name]?.first?.value?.replacingOccurrences(of: "+", with: " ") }
    guard value("response_type") == "code", value("client_id") == "client", value("redirect_uri") == Self.redirect,
      value("scope") == "openid a/b", let oauthState = items["state"]?.first?.value
    else { return nil }
    let challenge = items["code_challenge"]?.first?.value
    if manner == .publicClient, challenge == nil || value("code_challenge_method") != "S256" { return nil }
    let code = state.withLock { state in
      state.count += 1
      let code = "code-\(state.count)"
      state.codes[code] = (challenge, state.count, false)
      return code
    }
    return "\(Self.redirect)?code=\(code)&state=\(oauthState)"
  }

  private func response(to request: Request) -> Response {
    noted.change { $0.append(request) }
    switch request.rawPath {
    case "/token": return token(Self.form(request.body), request)
    case "/api":
      let token = request.headers["authorization"]?.split(separator: " ").last.map(String.init) ?? ""
      let isKnown = state.withLock { state in state.access[token].map { !state.revoked.contains($0) } ?? false }
      return isKnown ? Provider.json("{}") : Provider.json("{}", status: 401)
    default: return Response(status: 404)
    }
  }

  private func token(_ form: [String: String], _ request: Request) -> Response {
    guard isClient(form, request) else { return error("invalid_client", status: 401) }
    switch form["grant_type"] {
    case "authorization_code": return exchange(form)
    case "refresh_token": return refresh(form["refresh_token"] ?? "")
    default: return error("unsupported_grant_type")
    }
  }

  private func isClient(_ form: [String: String], _ request: Request) -> Bool {
    switch manner {
    case .publicClient: return form["client_id"] == "client" && form["client_secret"] == nil
    case .basic:
      let pair = Data("client:\(Self.secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")".utf8)
      let formed = String(decoding: pair, as: UTF8.self).replacingOccurrences(of: "%20", with: "+")
      return request.headers["authorization"] == "Basic \(Data(formed.utf8).base64EncodedString())" && form["client_secret"] == nil
    case .google, .github, .slack: return form["client_id"] == "client" && form["client_secret"] == Self.secret
    }
  }

  private func exchange(_ form: [String: String]) -> Response {
    let login: Int? = state.withLock { state in
      guard let code = form["code"], let known = state.codes[code] else { return nil }
      state.codes[code]?.isUsed = true
      // RFC 6749, 4.1.2: the second use of a code revokes the tokens of the first one.
      guard !known.isUsed else {
        state.revoked.insert(known.login)
        return nil
      }
      guard form["redirect_uri"] == Self.redirect else { return nil }
      if let challenge = known.challenge { guard ProofKeys.challenge(of: form["code_verifier"] ?? "") == challenge else { return nil } }
      return known.login
    }
    return login.map { issue(for: $0) } ?? error("invalid_grant")
  }

  private func refresh(_ token: String) -> Response {
    let login: Int? = state.withLock { state in
      guard let known = state.refresh[token], !state.revoked.contains(known.login) else { return nil }
      guard !known.isUsed else {
        state.revoked.insert(known.login)
        return nil
      }
      if manner != .google { state.refresh[token]?.isUsed = true }
      return known.login
    }
    return login.map { issue(for: $0, isRefresh: true) } ?? error("invalid_grant")
  }

  private func issue(for login: Int, isRefresh: Bool = false) -> Response {
    let (access, refresh) = state.withLock { state in
      state.count += 1
      let (access, refresh) = ("access-\(state.count)", "refresh-\(state.count)")
      state.access[access] = login
      if manner != .google || !isRefresh { state.refresh[refresh] = (login, false) }
      return (access, refresh)
    }
    let expiry = lifetime.map { #","expires_in":\#($0)"# } ?? ""
    let refreshing = manner == .google && isRefresh ? "" : #","refresh_token":"\#(refresh)""#
    let tokens = #""access_token":"\#(access)"\#(expiry)\#(refreshing)"#
    guard manner == .slack else { return Provider.json("{\(tokens),\"token_type\":\"Bearer\"}") }
    return Provider.json(#"{"ok":true,"token_type":"bot","authed_user":{\#(tokens)}}"#)
  }

  private func error(_ code: String, status: Int = 400) -> Response {
    switch manner {
    case .github: Provider.json(#"{"error":"\#(code)","error_description":"as told"}"#)
    case .slack: Provider.json(#"{"ok":false,"error":"\#(code)"}"#)
    case .publicClient, .basic, .google: Provider.json(#"{"error":"\#(code)","error_description":"as told"}"#, status: status)
    }
  }

  /// The fields of a form.
  static func form(_ body: [UInt8]) -> [String: String] {
    var fields: [String: String] = [:]
    for item in String(decoding: body, as: UTF8.self).split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      fields[String(parts[0])] = parts.count == 2 ? String(parts[1]).removingPercentEncoding : ""
    }
    return fields
  }
}
