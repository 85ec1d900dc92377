import CairnCore
import CairnTesting
import Testing

private let environment = [
  "QIITA_CLIENT_ID": "clientId", "QIITA_REDIRECT_URL": "https://a/cb", "QIITA_BASE_URL": "https://github.com",
]
private let login = "root{login[loginTop]}"
private let search = "root{search[searchTop]}"

private func launch(token: Bool) throws -> Drive {
  try Drive(app: "qiita", creation: Creation(hasToken: token, environment: environment))
}

@Suite struct `Flux app qiita` {
  @Test func `a launch without a token shows the login top, a launch with one the search top`() throws {
    #expect(try launch(token: false).sketch == login)
    #expect(try launch(token: true).sketch == search)
  }

  @Test func `the login page contains the authorize URL with a new state`() throws {
    var drive = try launch(token: false)
    drive.step("login.webView")
    let page = try #require(drive.state.visibleLeaf)
    #expect(page.name == "loginWeb")
    let first = try #require(page.authorization)
    #expect(
      page.params["url"]
        == .string("https://github.com/v2/oauth/authorize?client_id=clientId&scope=read_qiita+write_qiita&state=\(first)"))
    drive.step("login.webView")
    #expect(drive.outcome == "unchanged (already-on-top)")
    drive.step("login.root")
    #expect(drive.sketch == login)
    drive.step("login.webView")
    #expect(drive.state.visibleLeaf?.authorization != first)
    #expect(drive.broken == [])
  }

  @Test func `a URL that is not the redirect, or only begins like it, changes nothing`() throws {
    var drive = try launch(token: false)
    drive.step("login.webView")
    for url in ["https://b/cb?code=1", "https://a/cbx?code=1", "https://a/c"] {
      drive.post(.open(url: url))
      #expect(drive.outcome == "unknown-link")
    }
  }

  @Test func `a code becomes a token, and after a failed call the page can be used again`() throws {
    var drive = try launch(token: false)
    drive.step("login.webView")
    let state = try #require(drive.state.visibleLeaf?.authorization)
    drive.post(.open(url: "https://a/cb?code=x&state=\(state)"))
    #expect(drive.outcome == "pending")
    #expect(drive.state.login.status == .requesting)
    drive.run(.effect(id: 1, .failed("http-status: 503")))
    #expect(drive.state.login == Login(status: .failed, reason: "http-status: 503"))
    #expect(drive.routes == ["loginTop", "loginWeb"])
    drive.post(.open(url: "https://a/cb?code=y&state=\(state)"))
    #expect(drive.outcome == "oauth-state-mismatch")
    let renewed = try #require(drive.state.visibleLeaf?.authorization)
    #expect(renewed != state)
    #expect(
      drive.state.visibleLeaf?.params["url"]
        == .string("https://github.com/v2/oauth/authorize?client_id=clientId&scope=read_qiita+write_qiita&state=\(renewed)"))
    drive.post(.open(url: "https://a/cb?code=y&state=\(renewed)"))
    drive.run(.effect(id: 2, .exchanged))
    #expect(drive.sketch == search)
    #expect(drive.state.login.status == .loggedIn)
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a redirect without a code is refused and leaves its state open`() throws {
    var drive = try launch(token: false)
    drive.step("login.webView")
    let state = try #require(drive.state.visibleLeaf?.authorization)
    for query in ["code&state=\(state)", "state=\(state)", "state=\(state)&code=", "error=&state=\(state)"] {
      drive.post(.open(url: "https://a/cb?\(query)"))
      #expect(drive.outcome == "oauth-code-missing")
    }
    #expect(drive.state.login.status == .loggedOut)
    drive.post(.open(url: "https://a/cb?hint=50%&error=access_denied&error_description=No+%0Athanks&state=\(state)"))
    #expect(drive.state.login == Login(status: .failed, reason: "access_denied: No \u{FFFD}thanks"))
    for query in ["code=1", "code=1&state=other"] {
      drive.post(.open(url: "https://a/cb?\(query)"))
      #expect(drive.outcome == "oauth-state-mismatch")
    }
    #expect(drive.routes == ["loginTop", "loginWeb"])
  }

  @Test func `with two simultaneous exchanges the second token changes no screen`() throws {
    var drive = try launch(token: false)
    drive.step("login.webView")
    for code in 1...2 {
      let state = try #require(drive.state.visibleLeaf?.authorization)
      drive.post(.open(url: "https://a/cb?code=\(code)&state=\(state)"))
    }
    drive.run(.effect(id: 1, .exchanged))
    #expect(drive.sketch == search)
    drive.run(.effect(id: 2, .exchanged))
    #expect(drive.sketch == search)
    #expect(drive.outcome == "performed (already-there)" || drive.outcome == "performed")
    #expect(drive.last.changes == [])
  }

  @Test func `show presents a page once, and the page can be shown again after back`() throws {
    var drive = try launch(token: true)
    drive.step("search.webView", ["url": "u1"])
    #expect(drive.sketch == "root{search[searchTop, safari(url: u1)]}")
    drive.step("search.webView", ["url": "u2"])
    #expect(drive.sketch == "root{search[searchTop, safari(url: u1)]}")
    #expect(drive.outcome == "unchanged (already-on-top)")
    drive.step("search.root")
    #expect(drive.sketch == search)
    drive.step("search.webView", ["url": "u1"])
    drive.run(.pop(count: 1, node: nil))
    drive.step("search.webView", ["url": "u1"])
    #expect(drive.sketch == "root{search[searchTop, safari(url: u1)]}")
    #expect(drive.broken == [])
  }

  @Test func `logout and setting the token again change the screens by rules`() throws {
    var drive = try launch(token: true)
    drive.step("search.webView", ["url": "u"])
    drive.run(.token)
    #expect(drive.sketch == search)
    drive.step("search.webView", ["url": "u"])
    drive.run(.logout)
    #expect(drive.sketch == login)
    drive.step("login.webView")
    drive.run(.logout)
    #expect(drive.sketch == login)
    #expect(drive.broken == [])
  }

  @Test func `the root flow handles steps without a check of the token`() throws {
    var drive = try launch(token: false)
    drive.step("login.webView")
    drive.step("search.root")
    #expect(drive.sketch == search)
    #expect(drive.state.facts["accessToken"] == nil)
    drive = try launch(token: true)
    drive.step("search.webView", ["url": "u"])
    drive.step("login.webView")
    #expect(drive.routes == ["loginTop", "loginWeb"])
    #expect(drive.state.facts["accessToken"] == true)
  }

  @Test func `a held link resumes once after the login`() throws {
    var drive = try launch(token: false)
    drive.post(.open(url: "https://qiita.com/items/a%2Fb"))
    #expect(drive.outcome == "pending")
    #expect(drive.sketch == login)
    #expect(drive.state.pendingLinks.first?.url == "https://qiita.com/items/a%2Fb")
    drive.post(.token("t"))
    #expect(drive.sketch == "root{search[searchTop, safari(url: https://qiita.com/items/a%2Fb)]}")
    #expect(drive.state.pendingLinks.isEmpty)
    drive.run(.token)
    #expect(drive.sketch == search)
    drive.post(.open(url: "qiita://items/2"))
    drive.post(.open(url: "qiita://items/3"))
    #expect(drive.sketch == "root{search[searchTop, safari(url: https://qiita.com/items/3)]}")
    #expect(drive.broken == [])
  }

  @Test func `a held link is dropped at logout, and a newer link replaces an older one`() throws {
    var drive = try launch(token: false)
    drive.post(.open(url: "qiita://items/1"))
    drive.post(.open(url: "qiita://items/2"))
    #expect(drive.state.pendingLinks.first?.url == "qiita://items/2")
    drive.run(.logout)
    #expect(drive.state.pendingLinks.isEmpty)
    #expect(drive.last.events.map(\.type).contains(.linkDropped))
  }
}
