import CairnCore
import CairnTesting
import Testing

private let app = """
  app: undo
  language: 1
  compat: { emits: any }
  root: { flow: main }
  facts: { count: { type: integer, default: 0, by: client }, isFar: { type: boolean, default: false } }
  screens: { home: {}, page: { params: { n: optional integer } }, login: { params: { url: string } } }
  steps: { open: { n: integer }, modal: {}, ring: {}, wait: {}, tick: {}, far: {}, login: {}, came: {}, missed: {} }
  links: [{ scheme: x, path: /far, requires: { fact: isFar }, holdFor: 1h, send: modal }]
  rules: [{ when: { fact: away, over: 100000 }, send: tick }]
  flows:
    main:
      stack: home
      handle:
        open: { push: page, with: { n: $n }, removed: missed }
        modal: { present: page }
        ring: { timer: { every: 1s, send: tick }, of: flow }
        wait: { load: { value: 1, delay: 5s, then: came, else: missed } }
        tick: { write: { count: 9 } }
        far: { write: { isFar: true } }
        login: { push: login, with: { url: $oauth.authorizeUrl } }
        came: []
        missed: { push: page }
  oauth:
    authorizationEndpoint: { env: BASE, default: "https://login.example", path: /authorize }
    tokenEndpoint: { env: BASE, default: "https://login.example", path: /token }
    clientId: { env: ID, default: me }
    clientSecret: { env: SECRET }
    redirectUrl: { env: REDIRECT, default: "app://cb" }
  """

@Suite struct `Undo` {
  private func drive() throws -> MigrationDrive { try MigrationDrive(app, creation: Creation(manualClock: true, manualRequests: true)) }

  @Test func `the tree, the facts and the content are those of the earlier revision, under a new one`() throws {
    var drive = try drive()
    drive.step("open", ["n": 1])
    drive.run(.facts(["count": 3]))
    let past = drive.past
    drive.run(.facts(["count": 4]))
    drive.run(.pop(count: 1, node: nil))
    drive.step("open", ["n": 2])
    drive.step("modal")
    #expect(drive.sketch == "main[home, page(n: 2), page] ^ page" || drive.sketch.contains("^ page"))
    let (revision, next) = (drive.state.revision, drive.state.nextNode)
    drive.undo(to: past)
    #expect(drive.sketch == "main[home, page(n: 1)]" && drive.tree == past.tree && drive.state.nodes == past.state.nodes)
    #expect(drive.state.facts == past.state.facts && drive.state.facts["count"] == 3)
    #expect(drive.state.revision == revision + 1 && drive.state.nextNode == next && drive.last.events == [])
    #expect(drive.changes.first == "dismiss")
    drive.step("open", ["n": 5])
    #expect(drive.id("page").number >= next && drive.sketch == "main[home, page(n: 1), page(n: 5)]" && drive.broken == [])
  }

  @Test func `an undo of the present state changes only the revision`() throws {
    var drive = try drive()
    for step in ["ring", "wait", "modal"] { drive.step(step) }
    var before = drive.state
    drive.undo(to: drive.past)
    before.revision += 1
    #expect(drive.state == before && drive.last.changes == [] && drive.last.cancelled == [] && drive.broken == [])
  }

  @Test func `an undo can be undone`() throws {
    var drive = try drive()
    let first = drive.past
    drive.step("open", ["n": 1])
    let second = drive.past
    drive.undo(to: first)
    #expect(drive.sketch == "main[home]")
    drive.undo(to: second)
    #expect(drive.sketch == "main[home, page(n: 1)]" && drive.tree == second.tree && drive.broken == [])
  }

  @Test func `effects that still run go on with their present ticks, and others are cancelled`() throws {
    var drive = try drive()
    drive.step("ring")
    drive.step("wait")
    let past = drive.past
    drive.advance(2_500)
    let ring = drive.state.effects[0]
    #expect(ring.ticks == 1 && past.state.effects[0].ticks == 0)
    drive.advance(2_500)
    drive.step("ring")
    #expect(drive.state.effects.map(\.id) == [1, 3] && drive.sketch == "main[home~1]")
    let now = drive.state.effects[0]
    drive.undo(to: past)
    #expect(drive.state.effects == [now] && drive.last.cancelled == [3])
    // The load that was running at the restored revision has ended since, so the content is idle.
    #expect(drive.sketch == "main[home]" && drive.node("home")?.content == Content(status: .idle, value: nil))
    #expect(drive.last.events.map(\.type) == [.loadCancelled])
    drive.step("wait")
    #expect(drive.state.effects.map(\.id) == [1, 4] && drive.broken == [])
  }

  @Test func `the clock, the token, the login and the state of the app are the present ones`() throws {
    var drive = try drive()
    let past = drive.past
    drive.advance(7_000)
    drive.run(.token)
    drive.run(.appState(.background))
    let before = drive.state
    drive.undo(to: past)
    #expect(drive.state.manualTime == before.manualTime && drive.state.manualTime == past.state.manualTime.map { $0 + 7_000 })
    #expect(drive.state.facts["accessToken"] == true && drive.state.login == before.login && drive.state.tokenWrites == 1)
    #expect(drive.state.facts["appState"] == "background" && drive.state.leftForeground == before.leftForeground)
    #expect(drive.state.manualRequests)
    let loggedIn = drive.past
    drive.run(.logout)
    drive.undo(to: loggedIn)
    #expect(drive.state.facts["accessToken"] == nil && drive.state.login.status == .loggedOut && drive.broken == [])
  }

  @Test func `links are held that were held then and still are`() throws {
    var drive = try drive()
    let none = drive.past
    drive.run(.open(url: "x://far"))
    let held = drive.past
    drive.undo(to: none)
    #expect(drive.state.pendingLinks == [] && drive.state.nextLink == 2)
    drive.undo(to: held)
    #expect(drive.state.pendingLinks == [])
    drive.run(.open(url: "x://far"))
    #expect(drive.state.pendingLinks.map(\.id) == [LinkID(2)])
    let again = drive.past
    drive.step("open", ["n": 1])
    drive.undo(to: again)
    #expect(drive.state.pendingLinks == again.state.pendingLinks && drive.sketch == "main[home]" && drive.broken == [])
  }

  @Test func `an OAuth state that was used up does not become valid again`() throws {
    var drive = try drive()
    drive.step("login")
    let page = drive.past
    let code = try #require(drive.node("login")?.authorization)
    drive.step("open", ["n": 1])
    drive.undo(to: page)
    #expect(drive.node("login")?.authorization == code)
    drive.run(.pop(count: 1, node: nil))
    drive.undo(to: page)
    #expect(drive.sketch.hasPrefix("main[home, login(url: ") && drive.node("login")?.authorization == nil)
    drive.run(.login(hasCode: true, state: code, error: nil, byOperator: false))
    #expect(drive.reason == "oauth-state-mismatch" && drive.broken == [])
  }

  @Test func `a token exchange that began since is cancelled, and the login has failed`() throws {
    var drive = try drive()
    drive.step("login")
    let page = drive.past
    let code = try #require(drive.node("login")?.authorization)
    drive.run(.login(hasCode: true, state: code, error: nil, byOperator: false))
    let requesting = drive.past
    drive.step("open", ["n": 1])
    drive.undo(to: requesting)
    #expect(drive.state.login.status == .requesting && drive.state.effects.map(\.id) == [1])
    drive.undo(to: page)
    #expect(drive.state.effects == [] && drive.last.cancelled == [1])
    #expect(drive.state.login == Login(status: .failed, reason: "undone") && drive.broken == [])
  }

  @Test func `an undo goes back behind a migration, to the old definition`() throws {
    var drive = try drive()
    drive.step("ring")
    drive.step("open", ["n": 1])
    let past = drive.past
    let new = app.replacing("page", with: "sheet").replacing("when: { fact: away, over: 100000 }", with: "when: { fact: isFar }")
    try drive.migrate(to: new, Migration(screens: ["page": .keep(as: "sheet", params: [:])]))
    #expect(drive.reason == nil && drive.sketch == "main[home, sheet(n: 1)]" && drive.state.facts["away"] == nil)
    drive.step("modal")
    drive.undo(to: past)
    #expect(drive.sketch == "main[home, page(n: 1)]" && drive.tree == past.tree)
    #expect(drive.last.changes == [.replace(at: drive.state.root, node: drive.tree)])
    #expect(drive.state.facts == past.state.facts && drive.state.facts["appState"] == "foreground")
    #expect(drive.state.effects.map(\.id) == [1])
    drive.step("modal")
    #expect(drive.sketch == "main[home, page(n: 1)] ^ page" && drive.broken == [])
  }
}

@Suite struct `Undo elsewhere: forks` {
  @Test func `a fork begins like the session, with a manual clock and no token`() throws {
    var drive = try MigrationDrive(app, creation: Creation())
    drive.step("ring")
    drive.step("login")
    drive.run(.open(url: "x://far"))
    drive.run(.token)
    let code = try #require(drive.node("login")?.authorization)
    drive.run(.login(hasCode: true, state: code, error: nil, byOperator: false))
    #expect(drive.state.effects.map(\.isExchange) == [false, true])
    let fork = drive.reducer.forked(drive.state, at: 5_000)
    #expect(fork.revision == 1 && fork.manualTime == 5_000 && fork.manualRequests && fork.faults == [])
    #expect(fork.facts["accessToken"] == nil && fork.login == Login(status: .loggedOut) && fork.tokenWrites == 0)
    #expect(fork.effects == Array(drive.state.effects.prefix(1)) && fork.nextEffect == drive.state.nextEffect)
    #expect(fork.nextNode == drive.state.nextNode && fork.pendingLinks == drive.state.pendingLinks && fork.nextLink == 2)
    #expect(fork.nodes.values.allSatisfy { $0.authorization == nil })
    #expect(drive.reducer.tree(of: fork) == drive.tree)
    var state = fork
    let (entries, transition) = try drive.reducer.advance(&state, by: 1_000, nonce: "a")
    #expect(!entries.isEmpty && transition.outcome == .performed && state.facts["count"] == 9 && state.faults == [])
  }
}
