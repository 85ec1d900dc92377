import CairnCore
import CairnHTTP
import CairnTesting
import Foundation
import Testing

private let login = "root{login[loginTop]}"
private let search = "root{search[searchTop]}"

/// A service in which the addresses of Qiita are set to a provider on loopback.
private func service(_ provider: Provider) async throws -> Service {
  try await Service(environment: [
    "QIITA_BASE_URL": provider.url, "QIITA_CLIENT_ID": "clientId", "QIITA_CLIENT_SECRET": "client secret",
    "QIITA_REDIRECT_URL": "https://app.example/cb",
  ])
}

extension Driven {
  /// Opens the login page and returns its state.
  fileprivate func loginPage() async throws -> String { try await step("login.webView").loginState() }
}

extension Reply {
  /// The OAuth state of the visible login page.
  fileprivate func loginState() throws -> String {
    guard case .string(let url) = json.at(["visible", "params", "url"]), let state = url.split(separator: "state=").last else {
      throw Service.Failure("no authorize URL: \(text)")
    }
    return String(state)
  }
}

@Suite(.tags(.timing), .ownThreads) struct `App qiita over HTTP` {
  @Test func `the launch depends on the token`() async throws {
    let service = try await Service()
    #expect(try await service.session("qiita").created.sketch == login)
    let returning = try await service.session("qiita", ["accessToken": "t"])
    #expect(returning.created.sketch == search)
    #expect(returning.created.json.at(["facts", "accessToken"]) == true)
  }

  @Test func `a link is opened after a complete login`() async throws {
    let provider = try Provider([Provider.token("the-token")])
    let service = try await service(provider)
    let session = try await service.session("qiita")
    let held = try await session.open("https://qiita.com/items/abc")
    #expect(held.status == 202)
    #expect(held.outcome == "pending")
    let state = try await session.loginPage()
    let page = try await session.get()
    #expect(page.routes == ["loginTop", "loginWeb"])
    #expect(
      page.json.at(["visible", "params", "url"])
        == .string("\(provider.url)/v2/oauth/authorize?client_id=clientId&scope=read_qiita+write_qiita&state=\(state)"))
    #expect(try await session.open("https://elsewhere.example/?code=1").code == "unknown-link")
    #expect(provider.requests.isEmpty)
    let asked = try await session.open("https://app.example/cb?code=c%2Fd&state=\(state)")
    #expect(asked.status == 202)
    let done = try await session.until { $0.routes.first == "searchTop" }
    #expect(done.sketch == "root{search[searchTop, safari(url: https://qiita.com/items/abc)]}")
    #expect(done.json.at(["login", "status"]) == "loggedIn")

    let call = try #require(provider.requests.first)
    #expect(call.method == "POST")
    #expect(call.rawPath == "/v2/access_tokens")
    #expect(call.query("client_id") == "clientId")
    #expect(call.query("client_secret") == "client secret")
    #expect(call.query("code") == "c/d")
    #expect(call.body.isEmpty)
    #expect(call.headers["authorization"] == nil)
    #expect(provider.requests.count == 1)
    let history = try await session.get("/history")
    #expect(!history.text.contains("the-token") && !history.text.contains("c/d") && !history.text.contains("c%2Fd"))
  }

  @Test(arguments: [
    Response(status: 503), Provider.json("{"), Provider.json(#"{"token":"t"}"#),
    Provider.json(#"{"client_id":"c","scopes":["other"],"token":"t"}"#), Provider.json("[]"),
  ])
  func `a failed token call changes no screen, and the page can be used again`(failure: Response) async throws {
    let provider = try Provider([failure])
    let service = try await service(provider)
    let session = try await service.session("qiita")
    let state = try await session.loginPage()
    _ = try await session.open("https://app.example/cb?code=1&state=\(state)")
    let failed = try await session.until { $0.json.at(["login", "status"]) == "failed" }
    #expect(failed.routes == ["loginTop", "loginWeb"])
    #expect(failed.json.at(["login", "reason"]) != nil)
    provider.answer(Provider.token("t"))
    #expect(try await session.open("https://app.example/cb?code=2&state=\(state)").code == "oauth-state-mismatch")
    _ = try await session.open("https://app.example/cb?code=2&state=\(try failed.loginState())")
    #expect(try await session.until { $0.json.at(["login", "status"]) == "loggedIn" }.sketch == search)
  }

  @Test func `with two simultaneous token calls the second token changes no screen`() async throws {
    // The test supplies the results of both calls. Real calls would be simultaneous only if the second request arrived within the ten seconds of the first one.
    let service = try await Service()
    let environment: Value = ["QIITA_BASE_URL": "https://b.example", "QIITA_REDIRECT_URL": "https://app.example/cb"]
    let session = try await service.session("qiita", ["requests": "manual", "environment": environment], asOperator: true)
    let first = try await session.open("https://app.example/cb?code=1&state=\(try await session.loginPage())")
    #expect(first.status == 202)
    let second = try await session.open("https://app.example/cb?code=2&state=\(try first.loginState())")
    #expect(second.status == 202)
    #expect(try await session.get()["pending"] == [["kind": "token"], ["kind": "token"]])
    for (token, pending) in [("t1", 1), ("t2", 0)] {
      _ = try await session.act(["type": "answer", "exchanged": .string(token)], as: Service.operatorKey)
      let reply = try await session.get()
      #expect(reply.json.at(["login", "status"]) == "loggedIn" && reply.sketch == search)
      #expect(reply["pending"] == .array(Array(repeating: ["kind": "token"], count: pending)))
    }
    let history = try await session.get("/history")
    #expect(history.text.components(separatedBy: "\"exchanged\":true").count == 3)
  }

  @Test func `an unreachable host is a failed login`() async throws {
    let service = try await Service(environment: [
      "QIITA_BASE_URL": "http://127.0.0.1:1", "QIITA_CLIENT_ID": "c", "QIITA_CLIENT_SECRET": "s",
      "QIITA_REDIRECT_URL": "https://app.example/cb",
    ])
    let session = try await service.session("qiita")
    let state = try await session.loginPage()
    _ = try await session.open("https://app.example/cb?code=1&state=\(state)")
    let failed = try await session.until { $0.json.at(["login", "status"]) == "failed" }
    #expect(failed.routes == ["loginTop", "loginWeb"])
  }

  @Test func `a redirect with missing parts changes nothing`() async throws {
    let provider = try Provider([Provider.token("t")])
    let service = try await service(provider)
    let session = try await service.session("qiita")
    let state = try await session.loginPage()
    let before = try await session.get().revision
    for (query, code) in [
      ("?code&state=\(state)", "oauth-code-missing"), ("?code=&state=\(state)", "oauth-code-missing"),
      ("?state=\(state)", "oauth-code-missing"), ("?code=1", "oauth-state-mismatch"),
      ("?code=1&state=x", "oauth-state-mismatch"), ("x?code=1&state=\(state)", "unknown-link"),
    ] {
      #expect(try await session.open("https://app.example/cb\(query)").code == code)
    }
    #expect(try await session.get().revision == before)
    #expect(provider.requests.isEmpty)
  }

  @Test func `each route leads to its screens`() async throws {
    let service = try await Service()
    let out = try await service.session("qiita")
    _ = try await out.step("login.webView")
    #expect(try await out.step("login.root").sketch == login)
    _ = try await out.step("login.webView")
    #expect(try await out.act(["type": "logout"]).sketch == login)
    #expect(try await out.step("search.root").sketch == search)

    let session = try await service.session("qiita", ["accessToken": "t"])
    let safari = "root{search[searchTop, safari(url: u1)]}"
    #expect(try await session.step("search.webView", ["url": "u1"]).sketch == safari)
    #expect(try await session.step("search.webView", ["url": "u2"]).outcome == "unchanged")
    #expect(try await session.step("search.root").sketch == search)
    #expect(try await session.step("search.webView", ["url": "u1"]).sketch == safari)
    #expect(try await session.act(["type": "pop"]).sketch == search)
    #expect(try await session.step("search.webView", ["url": "u1"]).sketch == safari)
    #expect(try await session.act(["type": "token", "accessToken": "t2"]).sketch == search)
    _ = try await session.step("search.webView", ["url": "u1"])
    #expect(try await session.step("login.webView").routes == ["loginTop", "loginWeb"])
    #expect(try await session.get().json.at(["facts", "accessToken"]) == true)
    #expect(try await session.act(["type": "logout"]).sketch == login)
  }

  @Test func `a session can start with a link or a notification`() async throws {
    let service = try await Service()
    let safari = "root{search[searchTop, safari(url: https://qiita.com/items/7)]}"
    let link = try await service.session("qiita", ["accessToken": "t", "open": "https://qiita.com/items/7"])
    #expect(link.created.sketch == safari)
    #expect(link.created.json.at(["opened", "outcome"]) == "performed")
    let tapped = try await service.session(
      "qiita", ["accessToken": "t", "notification": ["aps": ["alert": "x"], "url": "qiita://items/7"]])
    #expect(tapped.created.sketch == safari)
    let wrong = try await service.session("qiita", ["accessToken": "t", "open": "https://qiita.com/nothing"])
    #expect(wrong.created.json.at(["opened", "code"]) == "unknown-link")
    #expect(wrong.created.sketch == search)
  }

  @Test func `the tree survives a crash`() async throws {
    let service = try await Service()
    let session = try await service.session("qiita", ["accessToken": "t"])
    _ = try await session.step("search.webView", ["url": "u"])
    let before = try await session.step("login.webView")
    service.crash()
    try await service.start()
    let after = try await session.get()
    #expect(after["tree"] == before["tree"])
    #expect(after.routes == ["loginTop", "loginWeb"])
  }
}
