import CairnCore
import CairnDefinition
import CairnTesting
import Testing

private func app(_ handler: String, flows: String = "") -> String {
  """
  app: login
  language: 1
  compat: { emits: any }
  root: { flow: main }
  screens: { home: , page: { params: { url: optional string } } }
  steps: { go: , two: , back: , rooted: , held: }
  flows:
    main:
      stack: home
      handle:
        go: \(handler)
        two: [{ push: page, with: { url: $oauth.authorizeUrl } }, { push: page, with: { url: $oauth.authorizeUrl } }]
        rooted: { push: { flow: framed } }
        back: pop
    framed: { screen: page, with: { url: $oauth.authorizeUrl } }
  oauth:
    authorizationEndpoint: { env: BASE, default: "https://login.example", path: /authorize }
    tokenEndpoint: { env: BASE, default: "https://login.example", path: /token }
    clientId: { env: ID, default: me }
    clientSecret: { env: SECRET }
    redirectUrl: { env: REDIRECT, default: "app://cb" }
  """
}

@Suite struct `Login page` {
  private func state(_ url: Value?) -> String {
    guard case .string(let text)? = url else { return "none" }
    return text.split(separator: "state=").last.map(String.init) ?? "none"
  }

  private func logsIn(_ drive: Drive, by state: String) -> Bool {
    var drive = drive
    drive.post(.open(url: "app://cb?code=c&state=\(state)"))
    return drive.outcome == "pending"
  }

  /// Of the redirect only `code`, `state` and `error` are read (RFC 6749, 4.1.2).
  @Test(arguments: [
    ("code=c&state=STATE&hint=50%", "pending"), ("%zz=%FF&code=c&state=STATE", "pending"), ("code=a+b&state=STATE#x", "pending"),
    ("error=access_denied&error_description=refus%E9&state=STATE", "performed"), ("error=refus%E9&state=STATE", "performed"),
    ("code=%E9&state=STATE", "code"), ("code=c&state=STATE%", "state"), ("code=%00&state=STATE", "code"),
  ])
  func `an item of the redirect that nothing reads may contain anything, and a refusal names the item`(query: String, outcome: String)
    throws
  {
    var drive = try Drive(app("{ push: page, with: { url: $oauth.authorizeUrl } }"))
    drive.step("go")
    let state = try #require(drive.state.nodes.values.first { $0.name == "page" }?.authorization)
    drive.post(.open(url: " app://cb?\(query.replacing("STATE", with: state))\n"))
    if let refusal = drive.refusal {
      #expect(refusal.code == .invalid && refusal.faults == [.init(pointer: "/url", detail: "\(outcome) must be percent-encoded UTF-8")])
    } else {
      #expect(drive.outcome == outcome)
      if outcome == "performed" {
        #expect(drive.state.login.reason?.hasPrefix(query.contains("access") ? "access_denied" : "refus\u{FFFD}") == true)
      }
    }
  }

  @Test(arguments: [
    "{ push: page, with: { url: $oauth.authorizeUrl } }", "{ push: page, content: { url: $oauth.authorizeUrl } }",
    "{ present: page, content: { deep: [{ url: $oauth.authorizeUrl }] } }",
    "{ push: { flow: framed, with: { url: $oauth.authorizeUrl } } }",
    "{ push: { flow: framed } }", "{ set: [home, { screen: page, with: { url: $oauth.authorizeUrl } }] }",
  ])
  func `a page logs in while it exists, wherever it carries its URL`(handler: String) throws {
    var drive = try Drive(app(handler))
    drive.step("go")
    let page = try #require(drive.state.nodes.values.first { $0.name == "page" })
    let state = try #require(page.authorization)
    let all = "\(page.params) \(String(describing: page.content))"
    #expect(all.contains("state=\(state)"))
    #expect(logsIn(drive, by: state))
    drive.run(.dismiss(node: nil))
    drive.step("back")
    #expect(!logsIn(drive, by: state))
  }

  @Test func `each page has its own state parameter, also within one action`() throws {
    var drive = try Drive(app("[]"))
    drive.step("two")
    drive.step("two")
    let pages = drive.state.nodes.values.filter { $0.name == "page" }
    #expect(pages.count == 4)
    let states = Set(pages.map { state($0.params["url"]) })
    #expect(states.count == 4 && states == Set(pages.compactMap(\.authorization)))
    for state in states { #expect(logsIn(drive, by: state)) }
    let top = try #require(pages.max { $0.id < $1.id })
    drive.step("back")
    #expect(!logsIn(drive, by: state(top.params["url"])))
    #expect(drive.broken == [])
  }

  /// The URL of the login page in an app with this `oauth` section.
  private func url(_ oauth: String, nonce: String = "r-1", environment: [String: String] = [:]) throws -> String {
    let head = app("{ push: page, with: { url: $oauth.authorizeUrl } }")
    let text =
      head[..<(try #require(head.firstRange(of: "oauth:")).lowerBound)] + "oauth: { clientId: { env: ID, default: a&b }, \(oauth) }"
    let reducer = Reducer(try DefinitionLoader.load(file: "login.yaml", text: String(text)).definition)
    var (state, _) = try reducer.create(Creation(environment: environment), stamp: Stamp(time: 0, nonce: "start"))
    _ = try reducer.reduce(&state, .step(Step("go"), from: nil), stamp: Stamp(time: 0, nonce: nonce))
    guard case .string(let url)? = state.visibleLeaf?.params["url"] else { return "none" }
    return url
  }

  private let rest = "tokenEndpoint: \"https://b.example/t\", redirectUrl: { env: R, default: \"app://cb?x=1\" }"

  @Test func `the URL has the parameters of RFC 6749 and 7636, encoded as a form`() throws {
    #expect(
      try url("authorizationEndpoint: \"https://a.example/login\", scope: openid https://a.example/r, \(rest)", nonce: "r.cha-l_1")
        == "https://a.example/login?response_type=code&client_id=a%26b&redirect_uri=app%3A%2F%2Fcb%3Fx%3D1"
        + "&scope=openid+https%3A%2F%2Fa.example%2Fr&state=r.cha-l_1&code_challenge=cha-l_1&code_challenge_method=S256")
  }

  @Test func `the URL has no challenge without PKCE, and no omitted parameter`() throws {
    #expect(
      try url("authorizationEndpoint: \"https://a.example/\", pkce: false, omit: [response_type, redirect_uri], \(rest)", nonce: "r.c")
        == "https://a.example/?client_id=a%26b&state=r.c")
  }

  @Test(arguments: [
    ("https://a.example/login?x=y", "https://a.example/login?x=y&response_type=code&client_id=a%26b&"),
    ("https://a.example/login?", "https://a.example/login?response_type=code&"),
    ("https://a.example/login?x=y&", "https://a.example/login?x=y&response_type=code&"),
    ("https://a.example/login?response_type=code", "https://a.example/login?response_type=code&client_id=a%26b&"),
    ("https://a.example/login#top", "https://a.example/login?response_type=code&"),
  ])
  func `parameters are appended to the query of the endpoint, each once`(_ endpoint: String, _ begin: String) throws {
    #expect(try url("authorizationEndpoint: \"\(endpoint)\", \(rest)").hasPrefix(begin))
    #expect(try url("authorizationEndpoint: { env: E }, \(rest)", environment: ["E": endpoint]).hasPrefix(begin))
  }

  @Test func `a redirect renews state and challenge of its page`() throws {
    var drive = try Drive(app("{ push: page, content: { deep: [{ url: $oauth.authorizeUrl }], other: text } }"))
    drive.step("go")
    let page = try #require(drive.state.nodes.values.first { $0.name == "page" })
    let state = try #require(page.authorization)
    drive.post(.open(url: "app://cb?error=access_denied&state=\(state)"))
    let renewed = try #require(drive.state.nodes[page.id])
    let fresh = try #require(renewed.authorization)
    #expect(fresh != state && !logsIn(drive, by: state) && logsIn(drive, by: fresh))
    #expect("\(String(describing: renewed.content))".contains("state=\(fresh)"))
    #expect(renewed.content?.value?["other"] == "text")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }
}
