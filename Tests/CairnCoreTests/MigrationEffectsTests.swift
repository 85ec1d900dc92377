import CairnCore
import CairnTesting
import Testing

private let app = """
  app: effects
  language: 1
  compat: { emits: any }
  root: { flow: main }
  allowHosts: [api.example]
  screens: { home: {}, page: {}, other: {} }
  steps: { ring: { n: optional integer }, wait: {}, fetch: {}, tick: {}, came: { n: any }, missed: {}, open: {}, cover: {} }
  flows:
    main:
      stack: home
      handle:
        ring: { timer: { every: 1s, name: bell, send: tick }, of: flow }
        wait: { load: { value: { n: 1 }, delay: 5s, then: { step: came, with: { n: $result.n } }, else: missed } }
        fetch: { load: { get: "https://api.example/a", then: { step: came, with: { n: $result } }, else: missed } }
        open: { push: page, timer: { after: 2s, send: tick, while: visible }, content: { n: 0 } }
        cover: { push: other }
        tick: []
        came: { push: other }
        missed: { push: other }
  """

@Suite struct `Migration of effects` {
  private func drive(_ steps: String...) throws -> MigrationDrive {
    var drive = try MigrationDrive(app, creation: Creation(manualClock: true, manualRequests: true))
    for step in steps { drive.step(step) }
    drive.advance(0)
    return drive
  }

  private func moved(_ drive: MigrationDrive, _ new: String, _ migration: Migration = Migration()) throws -> MigrationDrive {
    var drive = drive
    try drive.migrate(to: new, migration)
    #expect(drive.reason == nil && drive.broken == [])
    return drive
  }

  @Test func `effects of the same text go on with their ids, starts and ticks`() throws {
    var drive = try drive("ring", "wait")
    drive.advance(2_500)
    let effects = drive.state.effects
    #expect(effects.map(\.id) == [1, 2])
    var moved = try moved(drive, app.replacing("missed: {", with: "missed: {").replacing("cover: { push: other }", with: "cover: []"))
    #expect(moved.state.effects == effects && moved.last.cancelled == [] && moved.last.events == [])
    #expect(moved.sketch == "main[home~loading]" && moved.last.changes == [])
    moved.advance(2_500)
    #expect(moved.sketch == "main[home~{n:1}, other]" && moved.state.effects.map(\.id) == [1])
    #expect(moved.state.nextEffect == 3)
  }

  @Test func `effects go on on a screen with a new name`() throws {
    let drive = try drive("wait")
    var moved = try moved(
      drive, app.replacing("home", with: "start"), Migration(screens: ["home": .keep(as: "start", params: [:])]))
    #expect(moved.sketch == "main[start~loading]" && moved.state.effects == drive.state.effects)
    moved.advance(5_000)
    #expect(moved.sketch == "main[start~{n:1}, other]" && moved.broken == [])
  }

  @Test(arguments: [
    ("every: 1s", "every: 2s"), ("name: bell", "name: gong"), ("every: 1s, name: bell, send: tick", "every: 1s, name: bell, send: cover"),
  ])
  func `a timer with another text is cancelled`(part: String, other: String) throws {
    let moved = try moved(try drive("ring"), app.replacing(part, with: other))
    #expect(moved.state.effects == [] && moved.last.cancelled == [1] && moved.last.events == [] && moved.sketch == "main[home]")
  }

  @Test func `a timer whose step is renamed goes on and sends the new step`() throws {
    let renamed = app.replacing("tick", with: "tock")
    var moved = try moved(try drive("ring"), renamed, Migration(steps: ["tick": .keep(as: "tock", params: [:])]))
    #expect(moved.last.cancelled == [] && moved.last.started == [])
    moved.advance(1_000)
    #expect(moved.broken == [] && moved.steps.contains { $0.contains("tock") })
  }

  @Test func `a timer whose step is gone or has other params is cancelled`() throws {
    let gone = app.replacing("tick", with: "tock")
    #expect(try moved(try drive("ring"), gone).last.cancelled == [1])
    #expect(try moved(try drive("ring"), gone, Migration(steps: ["tick": .remove])).last.cancelled == [1])
    let required = app.replacing("tick: {}", with: "tick: { n: integer }").replacing(
      "send: tick", with: "send: { step: tick, with: { n: 1 } }")
    if let moved = try? moved(try drive("ring"), required) { #expect(moved.last.cancelled == [1]) }
  }

  @Test(arguments: [
    ("wait", "delay: 5s", "delay: 6s"), ("wait", "value: { n: 1 }", "value: { n: 2 }"), ("wait", "else: missed", "else: cover"),
    ("fetch", "api.example/a", "api.example/b"), ("fetch", "get:", "post:"),
    ("fetch", "with: { n: $result }", "with: { n: $result.n }"),
  ])
  func `a load with another text is cancelled without its else step, and its content is idle`(step: String, part: String, other: String)
    throws
  {
    let drive = try drive(step)
    #expect(drive.sketch == "main[home~loading]")
    let moved = try moved(drive, app.replacing(part, with: other))
    #expect(moved.sketch == "main[home]" && moved.changes == ["update"] && moved.last.cancelled == [1])
    #expect(moved.last.events.map(\.type) == [.loadCancelled] && moved.node("home")?.content == Content(status: .idle, value: nil))
  }

  @Test(arguments: ["wait", "fetch"])
  func `a load whose step is renamed goes on and sends the new step`(step: String) throws {
    let drive = try drive(step)
    let moved = try moved(
      drive, app.replacing("came", with: "arrived"), Migration(steps: ["came": .keep(as: "arrived", params: [:])]))
    #expect(moved.sketch == drive.sketch && moved.last.cancelled == [])
    #expect(moved.state.effects.map(\.id) == drive.state.effects.map(\.id))
    #expect(try "\(#require(moved.state.effects.first).work)".contains("arrived"))
    let gone = try self.moved(drive, app.replacing("came", with: "arrived"), Migration(steps: ["came": .remove]))
    #expect(gone.sketch == "main[home]" && gone.last.cancelled == [1] && gone.state.effects == [])
  }

  @Test func `effects end with a removed or replaced node, without their else`() throws {
    let drive = try drive("open", "wait")
    #expect(drive.sketch == "main[home, page~loading]" && drive.state.effects.count == 2)
    let removed = try moved(drive, app, Migration(screens: ["page": .remove]))
    #expect(removed.sketch == "main[home]" && removed.last.cancelled == [1, 2] && removed.steps == [] && removed.changes == ["pop"])
    let replaced = try moved(drive, app, Migration(screens: ["page": .replace(.screen("other"), with: [:])]))
    #expect(replaced.sketch == "main[home, other]" && replaced.last.cancelled == [1, 2] && replaced.steps == [])
  }

  @Test func `an effect that runs while its node is visible stops if the migration covers the node`() throws {
    let drive = try drive("open")
    #expect(drive.state.effects.count == 1 && drive.state.effects[0].whileVisible)
    #expect(try moved(drive, app).state.effects == drive.state.effects)
    let rule = "\nfacts: { isNew: { type: boolean, default: true } }\nrules: [{ when: { fact: isNew }, send: cover }]"
    let covered = try moved(drive, app + rule, Migration(runsRules: true))
    #expect(covered.sketch == "main[home, page~{n:0}, other]" && covered.state.effects.map(\.isIdle) == [true])
  }

  @Test func `a load of a restarted node keeps its content`() throws {
    var drive = try drive("wait")
    drive.advance(5_000)
    drive.run(.pop(count: 1, node: nil))
    drive.step("wait")
    #expect(drive.node("home")?.content == Content(status: .loading, value: ["n": 1]))
    let moved = try moved(drive, app.replacing("delay: 5s", with: "delay: 1s"))
    #expect(moved.node("home")?.content == Content(status: .idle, value: ["n": 1]))
  }
}

@Suite struct `Migration of a login` {
  private static let app = """
    app: login
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, page: { params: { url: string } } }
    steps: { login: {}, other: {} }
    flows:
      main:
        stack: home
        handle: { login: { push: page, with: { url: $oauth.authorizeUrl } }, other: pop }
    oauth:
      authorizationEndpoint: { env: BASE, default: "https://login.example", path: /authorize }
      tokenEndpoint: { env: BASE, default: "https://login.example", path: /token }
      clientId: { env: ID, default: me }
      clientSecret: { env: SECRET }
      redirectUrl: { env: REDIRECT, default: "app://cb" }
    """

  private func requesting() throws -> (drive: MigrationDrive, code: String) {
    var drive = try MigrationDrive(Self.app, creation: Creation(manualClock: true, manualRequests: true))
    drive.step("login")
    let code = try #require(drive.node("page")?.authorization)
    drive.run(.login(hasCode: true, state: code, error: nil, byOperator: false))
    #expect(drive.state.login.status == .requesting && drive.state.effects.count == 1)
    return (drive, try #require(drive.node("page")?.authorization))
  }

  @Test func `the token exchange goes on if the oauth section is the same`() throws {
    var (drive, code) = try requesting()
    let effects = drive.state.effects
    try drive.migrate(to: Self.app.replacing("other: pop", with: "other: popToRoot"))
    #expect(drive.state.effects == effects && drive.state.login.status == .requesting && drive.node("page")?.authorization == code)
    drive.run(.effect(id: effects[0].id, .exchanged))
    #expect(drive.state.login.status == .loggedIn && drive.broken == [])
  }

  @Test func `the token exchange is cancelled with another oauth section, and the login has failed`() throws {
    var (drive, _) = try requesting()
    try drive.migrate(to: Self.app.replacing("/token", with: "/tokens"))
    #expect(drive.state.effects == [] && drive.last.cancelled == [1] && drive.last.events == [])
    #expect(drive.state.login == Login(status: .failed, reason: "migrated") && drive.broken == [])
  }
}
