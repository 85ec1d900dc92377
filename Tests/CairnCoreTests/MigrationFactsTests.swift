import CairnCore
import CairnTesting
import Testing

private let old = """
  app: facts
  language: 1
  compat: { emits: any }
  root: { flow: main }
  facts:
    name: { type: string, default: Ada, by: client }
    count: { type: integer, default: 0, by: client }
    size: { type: integer, default: 1 }
  screens: { home: {}, page: {} }
  steps: { open: {} }
  flows: { main: { stack: home, handle: { open: { push: page } } } }
  """

/// The definition with these facts, and a rule that opens a page while `isNew` is true.
private func app(_ facts: String) -> String {
  """
  app: facts
  language: 1
  compat: { emits: any }
  root: { flow: main }
  facts: { \(facts) }
  screens: { home: {}, page: {} }
  steps: { open: {} }
  rules: [{ when: { fact: isNew }, send: open }]
  flows: { main: { stack: home, handle: { open: { push: page } } } }
  """
}

@Suite struct `Migration of facts` {
  private func migrated(_ facts: String, _ migration: Migration = Migration(), environment: [String: String] = [:]) throws -> MigrationDrive
  {
    var drive = try MigrationDrive(old)
    drive.run(.facts(["name": "Bob", "count": 5]))
    try drive.migrate(to: app(facts), migration, environment: environment)
    #expect(drive.broken == [])
    return drive
  }

  private static let isNew = "isNew: { type: boolean, default: true }"

  @Test func `a fact keeps its value, a new one has its default, and no rule runs`() throws {
    let drive = try migrated("name: string, \(Self.isNew)")
    #expect(drive.state.facts == ["name": "Bob", "isNew": true])
    #expect(drive.sketch == "main[home]" && drive.steps == [] && drive.last.changes == [])
  }

  @Test func `all rules run once if the migration says so`() throws {
    let drive = try migrated("name: string, \(Self.isNew)", Migration(runsRules: true))
    #expect(drive.sketch == "main[home, page]" && drive.steps == ["main open"] && drive.changes == ["push"])
  }

  @Test func `facts are renamed, exchanged, removed and computed from old facts`() throws {
    let facts = "count: string, name: integer, size: { type: integer, default: 9 }, both: any, \(Self.isNew)"
    let both = Expression.array([.reference(.fact("name")), .reference(.fact("size")), .reference(.fact("nowhere"))])
    let drive = try migrated(
      facts,
      Migration(
        facts: ["name": .keep(as: "count"), "count": .keep(as: "name"), "size": .remove],
        values: ["both": both, "isNew": .literal(false)]))
    #expect(drive.state.facts == ["count": "Bob", "name": 5, "size": 9, "both": ["Bob", 1, .null], "isNew": false])
  }

  @Test func `a value of null gives the default`() throws {
    let drive = try migrated("name: { type: string, default: Cleo }, \(Self.isNew)", Migration(values: ["name": .literal(.null)]))
    #expect(drive.state.facts == ["name": "Cleo", "isNew": true])
  }

  @Test func `a value of another type is an obstacle`() throws {
    let drive = try migrated("name: integer, \(Self.isNew)")
    #expect(drive.reason == "the fact name must be of type integer, not string")
    #expect(drive.state.facts == ["name": "Bob", "count": 5, "size": 1])
    let computed = try migrated(
      "size: { type: integer, default: 1 }, \(Self.isNew)", Migration(values: ["size": .reference(.fact("name"))]))
    #expect(computed.reason == "the fact size must be of type integer, not string")
  }

  @Test func `a new fact of the environment has its value, and the session keeps its environment`() throws {
    let facts = "base: { type: string, env: BASE }, \(Self.isNew)"
    let drive = try migrated(facts, environment: ["BASE": "https://a.example"])
    #expect(drive.state.facts == ["base": "https://a.example", "isNew": true])
    #expect(drive.state.environment == ["BASE": "https://a.example"])
    var again = drive
    try again.migrate(to: app(facts + ", more: any"), environment: ["BASE": "https://b.example", "MORE": "1"])
    #expect(again.state.environment == ["BASE": "https://a.example", "MORE": "1"])
    #expect(again.state.facts["base"] == "https://a.example" && again.broken == [])
  }

  @Test func `the facts of the app begin with their defaults, and are kept`() throws {
    var drive = try MigrationDrive(old)
    try drive.migrate(to: app("\(Self.isNew)").replacing("{ fact: isNew }", with: "{ fact: away, over: 60000 }"))
    #expect(drive.state.facts == ["appState": "foreground", "away": 0, "isNew": true])
    drive.run(.appState(.background))
    drive.advance(1_000)
    let left = drive.state.leftForeground
    try drive.migrate(to: app("\(Self.isNew), more: any").replacing("{ fact: isNew }", with: "{ fact: away, over: 50000 }"))
    #expect(drive.state.facts["appState"] == "background" && drive.state.leftForeground == left)
    try drive.migrate(to: app(Self.isNew))
    #expect(drive.state.facts == ["isNew": true])
    #expect(drive.broken == [])
  }

  @Test func `the token and the login stay`() throws {
    var drive = try MigrationDrive(old, creation: Creation(hasToken: true, manualClock: true))
    let (login, writes) = (drive.state.login, drive.state.tokenWrites)
    try drive.migrate(to: app(Self.isNew))
    #expect(drive.state.facts == ["accessToken": true, "isNew": true])
    #expect(drive.state.login == login && login.status == .loggedIn && drive.state.tokenWrites == writes)
    #expect(drive.broken == [])
  }
}
