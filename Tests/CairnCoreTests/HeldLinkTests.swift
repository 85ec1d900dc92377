import CairnCore
import CairnTesting
import Testing

/// Several held links, each with its own condition.
@Suite struct `Held links` {
  private static let app = """
    app: held
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { isOpen: { type: boolean, default: false }, isFar: { type: boolean, default: false }, name: string }
    screens: { home: {}, login: {}, item: { params: { id: integer } }, far: {}, named: { params: { name: string } } }
    steps:
      enter: {}
      pick: { id: integer }
      go: { to: optional string }
      open: {}
      away: {}
      let: {}
      out: {}
      named: { name: string }
      name: {}
    linkDefaults: { scheme: x, requires: { fact: isOpen }, holdFor: 10s, else: enter, holdAtMost: 3 }
    links:
      - { path: "/items/{id}", send: pick }
      - { path: "/far/{to?}", requires: { fact: isFar }, else: none, holdFor: 20s, send: go }
      - { path: /named, send: named, with: { name: $fact.name } }
      - { path: /free, requires: none, send: away }
    flows:
      main:
        stack: home
        handle:
          enter: { present: login, replace: true }
          pick: { push: item, with: { id: $id } }
          go: { push: far }
          open: [dismiss, { write: { isOpen: true } }]
          away: { write: { isFar: true } }
          let: { cancel: links }
          out: logout
          name: { write: { name: Ada } }
          named: { push: named, with: { name: $name } }
    """
    .replacing("step: { step: named, with: { name: $fact.name } } }", with: "step: named, with: { name: $fact.name } }")

  private func drive() throws -> Drive { try Drive(Self.app, creation: Creation(manualClock: true)) }

  @Test func `one link in several spellings is held once and followed once`() throws {
    var drive = try drive()
    for url in ["x://items/1", "x:items/1", " x:///items/1/?utm=a#b", "X:/x/../items/%31"] { drive.run(.open(url: url)) }
    #expect(drive.state.pendingLinks.map(\.url) == ["X:/x/../items/%31"])
    #expect(drive.last.events.first { $0.type == .linkDropped }?.reason == "replaced")
    drive.run(.open(url: "x://items/2"))
    drive.run(.open(url: "x:far/items"))
    #expect(drive.state.pendingLinks.count == 3)
    drive.step("open")
    #expect(drive.sketch == "main[home, item(id: 1), item(id: 2)]")
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `links whose captures differ only in the composition of a letter are two`() throws {
    var drive = try drive()
    for url in ["x:far/\u{E9}", "x:far/e\u{301}"] { drive.run(.open(url: url)) }
    #expect(drive.state.pendingLinks.count == 2)
  }

  @Test func `links are followed in the order of arrival, each after the turns of the previous one`() throws {
    var drive = try drive()
    for id in 1...3 { drive.run(.open(url: "x://items/\(id)")) }
    #expect(drive.outcome == "pending" && drive.last.link == LinkID(3))
    #expect(drive.sketch == "main[home] ^ login")
    #expect(drive.state.pendingLinks.map(\.id.description) == ["l1", "l2", "l3"])
    drive.step("open")
    #expect(drive.sketch == "main[home, item(id: 1), item(id: 2), item(id: 3)]")
    #expect(drive.state.pendingLinks == [])
    let resumed = drive.last.events.filter { $0.type == .linkResumed }
    #expect(resumed.map(\.link) == [LinkID(1), LinkID(2), LinkID(3)])
    #expect(drive.last.events.map(\.type).suffix(3) == [.linkResumed, .willNavigate, .didNavigate])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `each link waits for its own guard, and sends its own step`() throws {
    var drive = try drive()
    drive.run(.open(url: "x://far/1"))
    #expect(drive.outcome == "pending" && drive.sketch == "main[home]")
    drive.run(.open(url: "x://items/2"))
    drive.step("open")
    #expect(drive.sketch == "main[home, item(id: 2)]")
    #expect(drive.state.pendingLinks.map(\.url) == ["x://far/1"])
    drive.run(.open(url: "x://free"))
    #expect(drive.sketch == "main[home, item(id: 2), far]")
    #expect(drive.state.pendingLinks == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a link that its failure handler drops or permits is not reported as pending`() throws {
    func answer(_ handler: String) throws -> Drive {
      var drive = try Drive(Self.app.replacing("enter: { present: login, replace: true }", with: "enter: \(handler)"))
      drive.run(.open(url: "x://items/1"))
      return drive
    }
    let dropped = try answer("{ cancel: links }")
    #expect(dropped.outcome == "performed" && dropped.last.link == nil)
    #expect(dropped.last.events.map(\.type).contains(.linkDropped) && dropped.state.pendingLinks == [])
    let followed = try answer("{ write: { isOpen: true } }")
    #expect(followed.outcome == "performed" && followed.last.link == nil)
    #expect(followed.sketch == "main[home, item(id: 1)]")
    let held = try answer("[]")
    #expect(held.outcome == "pending" && held.last.link == LinkID(1))
  }

  @Test func `a link over the limit replaces the oldest, and the same URL replaces its own link`() throws {
    var drive = try drive()
    for id in [1, 2, 1, 3, 4] { drive.run(.open(url: "x://items/\(id)")) }
    #expect(drive.state.pendingLinks.map(\.url) == ["x://items/1", "x://items/3", "x://items/4"])
    #expect(drive.state.pendingLinks.map(\.id.number) == [3, 4, 5])
    #expect(drive.last.events.first?.reason == "replaced" && drive.last.events.first?.link == LinkID(2))
  }

  @Test func `links are dropped by id, by a handler, and by a logout`() throws {
    var drive = try drive()
    for id in 1...3 { drive.run(.open(url: "x://items/\(id)")) }
    #expect(drive.reducer.accepts(drive.state).primitives.contains("cancel"))
    drive.run(.cancel(link: LinkID(2)))
    #expect(drive.outcome == "performed" && drive.last.events.map(\.reason) == ["cancelled"])
    #expect(drive.state.pendingLinks.map(\.id.number) == [1, 3])
    drive.run(.cancel(link: LinkID(2)))
    #expect(drive.outcome == "link-gone")
    drive.run(.cancel(link: LinkID(9)))
    #expect(drive.outcome == "invalid")
    drive.step("let")
    #expect(drive.state.pendingLinks == [] && drive.last.events.compactMap(\.link) == [LinkID(1), LinkID(3)])
    #expect(!drive.reducer.accepts(drive.state).primitives.contains("cancel"))
    drive.run(.token)
    drive.run(.open(url: "x://items/4"))
    drive.step("out")
    #expect(drive.state.pendingLinks == [] && drive.state.facts["accessToken"] == nil && drive.state.login.status == .loggedOut)
    #expect(drive.last.events.map(\.type) == [.willNavigate, .loggedOut, .linkDropped, .didNavigate])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `links are dropped one by one at their deadlines`() throws {
    var drive = try drive()
    drive.run(.open(url: "x://items/1"))
    drive.run(.open(url: "x://far"))
    drive.run(.open(url: "x://items/3"))
    #expect(drive.state.upcoming.count == 3 && drive.state.effects == [])
    drive.advance(10_000)
    #expect(drive.state.pendingLinks.map(\.url) == ["x://far"])
    #expect(drive.last.events.filter { $0.type == .linkDropped }.map(\.link) == [LinkID(1), LinkID(3)])
    drive.advance(10_000)
    #expect(drive.state.pendingLinks == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `links that have become invalid are skipped`() throws {
    var drive = try drive()
    drive.step("name")
    drive.run(.open(url: "x://named"))
    drive.run(.open(url: "x://items/1"))
    drive.run(.facts(["name": .null]))
    #expect(drive.state.pendingLinks.map(\.id.number) == [1, 2])
    drive.run(.facts(["isOpen": true]))
    #expect(drive.sketch == "main[home, item(id: 1)]")
    #expect(drive.last.events.prefix(2).map(\.type) == [.linkDropped, .linkResumed] && drive.last.events.first?.reason == "invalid")
  }
}

/// The operation `logout` has the effect of the action with the same name.
@Suite struct `Logout by a handler` {
  private static let app = """
    app: out
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, login: { params: { url: string } } }
    steps: { sign: {}, out: {}, gone: }
    rules: [{ when: { fact: accessToken, is: absent }, send: gone }]
    flows:
      main:
        stack: home
        handle:
          sign: { push: login, with: { url: $oauth.authorizeUrl } }
          out: logout
          gone: popToRoot
    oauth:
      authorizationEndpoint: { env: B, default: "https://b.example", path: /a }
      tokenEndpoint: { env: B, default: "https://b.example", path: /t }
      clientId: { env: I, default: i }
      clientSecret: { env: S }
      redirectUrl: { env: R, default: "out://cb" }
    """

  @Test func `the operation removes the token, cancels a token call, and evaluates rules`() throws {
    var drive = try Drive(Self.app, creation: Creation(hasToken: true))
    drive.step("sign")
    drive.run(.login(hasCode: true, state: nil, error: nil, byOperator: true))
    #expect(drive.state.effects.count == 1 && drive.state.login.status == .requesting)
    drive.step("out")
    #expect(drive.sketch == "main[home]")
    #expect(drive.state.effects == [] && drive.state.login.status == .loggedOut)
    #expect(drive.last.events.map(\.type) == [.willNavigate, .loggedOut, .didNavigate, .willNavigate, .didNavigate])
    #expect(drive.last.cancelled == [1])
    #expect(try drive.replayed() == drive.state)
  }
}
