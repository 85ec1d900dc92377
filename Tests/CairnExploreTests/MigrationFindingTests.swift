import CairnCore
import CairnDefinition
import CairnExplore
import CairnScenario
import Testing

/// Every reachable state of the old definition can be migrated, or a scenario leads to a state that cannot.
@Suite struct `States that cannot move` {
  private static func findings(_ old: String, _ new: String, _ document: String) throws -> [Finding] {
    let migration = try loaded(old, new, document)
    return try Exploration.of(migration.old, migration: (to: migration.new, by: migration.loaded.migration)).findings
  }

  private static func loaded(_ old: String, _ new: String, _ document: String) throws -> (
    old: Definition, new: Definition, loaded: LoadedMigration
  ) {
    let (one, other) = (
      try DefinitionLoader.load(file: "old.yaml", text: old, limits: .manualClock),
      try DefinitionLoader.load(file: "new.yaml", text: new, limits: .manualClock)
    )
    let loaded = try MigrationLoader.load(
      file: "m.yaml", text: document, from: try .init(one), to: try .init(other), names: ("old.yaml", "new.yaml"))
    return (one.definition, other.definition, loaded)
  }

  private static let news = """
    app: demo
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: , news: , ad: }
    steps: { newsAreRequired: , adIsDue: }
    flows:
      main:
        stack: home
        handle: { newsAreRequired: { push: news }, adIsDue: { set: [ad] } }
    """
  private static let withoutAds = """
    app: demo
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: , news: }
    steps: { newsAreRequired: }
    flows:
      main:
        stack: home
        handle: { newsAreRequired: { push: news } }
    """

  @Test func `the way to a state that cannot move is a scenario that runs`() throws {
    let document = "{ screens: { ad: { popTo: home } }, steps: { adIsDue: remove } }"
    let found = try Self.findings(Self.news, Self.withoutAds, document)
    #expect(found.map(\.kind) == [.migration])
    #expect(found.map(\.text) == ["a session cannot be migrated: ad cannot be popped to home, because no home is below it"])
    let text = ScenarioText.file(
      app: "new.yaml", migration: .init(old: "old.yaml", document: "m.yaml"), cases: found.compactMap(\.scenario))
    let file = try ScenarioReader.read(file: "found.yaml", text: text)
    let scenario = try #require(file.scenarios.first)
    #expect(file.migration == "m.yaml" && scenario.given.definition == "old.yaml")
    let migration = try Self.loaded(Self.news, Self.withoutAds, document)
    var run = ScenarioRun(migration.new, from: migration.old, by: migration.loaded.migration)
    #expect(scenario.play(on: &run)?.differences == nil)
  }

  @Test func `nothing is found if every state can move`() throws {
    let found = try Self.findings(Self.news, Self.withoutAds, "{ screens: { ad: { replace: home } }, steps: { adIsDue: remove } }")
    #expect(found.map(\.text) == [])
  }

  @Test func `a fact is tried with each value that the new type does not allow`() throws {
    let old = """
      app: demo
      language: 1
      compat: { emits: any }
      root: { flow: main }
      facts: { size: { type: string, in: [s, m, l], default: s } }
      screens: { home: {} }
      steps: { pick: { size: { type: string, in: [s, m, l] } } }
      flows: { main: { stack: home, handle: { pick: { write: { size: $size } } } } }
      """
    let new = old.replacing("s, m, l], default", with: "s, m], default").replacing("{ write: { size: $size } }", with: "popToRoot")
    let found = try Self.findings(old, new, "values: { size: $fact.size }")
    #expect(found.map(\.text) == ["a session cannot be migrated: the fact size must be one of s, m"])
  }

  @Test func `a param is tried with each value that the new type does not allow`() throws {
    let old = """
      app: demo
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, page: { params: { size: { type: string, in: [s, m, l] } } } }
      steps: { pick: { size: { type: string, in: [s, m, l] } } }
      flows: { main: { stack: home, handle: { pick: { set: [{ screen: page, with: { size: $size } }] } } } }
      """
    let document = "{ screens: { page: { params: { size: $size } } }, steps: { pick: { params: { size: $size } } } }"
    let found = try Self.findings(old, old.replacing("s, m, l]", with: "s, m]"), document)
    #expect(found.map(\.text) == ["a session cannot be migrated: the param size of the screen page must be one of s, m"])
  }
}
