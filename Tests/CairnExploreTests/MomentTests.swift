import CairnExplore
import Testing

@Suite struct `Exploring moments` {
  private static func app(_ value: String) -> String {
    """
    app: trial
    language: 1
    root: main
    facts: { opensAt: { type: optional string } }
    screens:
      home: { emits: { moved: { at: string }, asked: { at: string } } }
      early: {}
      late: {}
    flows:
      main:
        stack: home
        handle:
          moved: { write: { opensAt: $at } }
          asked: [{ when: { passed: \(value) }, do: { push: late } }, { do: { push: early } }]
    """
  }

  @Test func `the moment before and the moment after are visited`() throws {
    let trial = try Trial(Self.app("$fact.opensAt"))
    #expect(trial.told.filter { $0.contains("late") || $0.contains("early") } == [] && trial.found.end == nil)
  }

  @Test func `a moment that no fact names is a doubt`() throws {
    let trial = try Trial(Self.app("$at"))
    #expect(trial.found.unknown.contains { $0.contains("a condition on the time") })
  }

  @Test func `a rule is sent at its moment`() throws {
    let trial = try Trial(
      """
      app: trial
      language: 1
      root: main
      facts: { opensAt: { type: optional string } }
      screens: { home: { emits: { moved: { at: string } } }, late: {} }
      rules: [{ when: { passed: $fact.opensAt, before: 5m }, send: opened }]
      flows: { main: { stack: home, idle: { for: 1m, send: closed }, handle: { moved: { write: { opensAt: $at } }, opened: { push: late }, closed: popToRoot } } }
      """)
    #expect(trial.told.filter { $0.contains("late") } == [])
  }
}
