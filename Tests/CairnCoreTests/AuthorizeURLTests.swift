import CairnCore
import CairnTesting
import Testing

private func app(_ handler: String, flows: String = "") -> String {
  """
  app: login
  root: { flow: main }
  screens: { home: , page: { params: { url: string? } } }
  steps: { go: , two: , back: , rooted: , held: }
  flows:
    main:
      container: stack
      root: home
      handle:
        go: \(handler)
        two: [{ push: page, with: { url: $oauth.authorizeUrl } }, { push: page, with: { url: $oauth.authorizeUrl } }]
        rooted: { push: { flow: framed } }
        back: pop
    framed: { container: screen, root: { screen: page, with: { url: $oauth.authorizeUrl } } }
  oauth:
    baseUrl: { env: BASE, default: "https://login.example" }
    clientId: { env: ID, default: me }
    clientSecret: { env: SECRET }
    redirectUrl: { env: REDIRECT, default: "app://cb" }
    authorize: { path: /authorize }
    token: { path: /token }
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
    var drive = try Drive(app("none"))
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
}
