import CairnCore
import CairnDefinition
import CairnScenario
import Testing

@Suite struct `A scenario that continues another one` {
  private let definition: Definition

  init() throws {
    definition = try DefinitionLoader.load(
      file: "a.yaml",
      text: """
        app: a
        language: 1
        root: main
        facts: { isOpen: { type: boolean, default: false } }
        screens: { home: { emits: { go: , pick: { id: integer } } }, list: { emits: [go] } }
        flows: { main: { stack: home, handle: { go: { push: list }, pick: { write: { isOpen: true } } } } }
        """
    ).definition
  }

  private func read(_ scenarios: String) throws(InvalidDefinition) -> [Scenario] {
    try ScenarioReader.read(file: "x", text: "app: a.yaml\nscenarios:\n\(scenarios)").scenarios
  }

  private func failures(_ scenarios: String) throws -> [[String]?] {
    try read(scenarios).map { ScenarioRun.run($0, on: definition)?.differences }
  }

  private func mistakes(_ scenarios: String) -> [String] {
    do throws(InvalidDefinition) {
      _ = try read(scenarios)
      return []
    } catch {
      return error.diagnostics.map { "\($0.line):\($0.column): \($0.message)" }
    }
  }

  @Test func `it begins with the state at the end, and with no events`() throws {
    #expect(
      try failures(
        """
          - { name: three, given: { after: two }, when: back, then: { tree: "main[home, list]", changes: [pop], facts: { isOpen: true } } }
          - { name: one, given: { facts: { isOpen: true } }, when: go, then: { stack: [home, list] } }
          - { name: two, given: { after: one }, when: go, then: { stack: [home, list, list], changes: [push] } }
          - { name: four, given: { after: one }, then: { visible: list, events: [], changes: [], refused: nothing } }
        """) == [nil, nil, nil, nil])
  }

  @Test func `a refusal that the other scenario expects does not end it`() throws {
    #expect(
      try failures(
        """
          - { name: one, when: gone, then: { refused: invalid } }
          - { name: two, given: { after: one }, when: go, then: { refused: nothing, visible: list } }
        """) == [nil, nil])
  }

  @Test func `the failure of the other scenario fails it too, and names that line`() throws {
    let found = try failures(
      """
        - { name: one, when: go, then: { visible: home } }
        - { name: two, given: { after: one }, when: go, then: { visible: list } }
      """)
    #expect(found[0] == ["visible: expected home\n         found    list"])
    #expect(
      found[1] == ["the scenario one, from whose end this one starts, fails on line 3", "visible: expected home\n         found    list"])
  }

  @Test func `its size includes the actions before it`() throws {
    let scenarios = try read(
      "  - { name: one, when: [go, back], then: {} }\n  - { name: two, given: { after: one }, when: go, then: {} }\n")
    #expect(scenarios.map(\.size) == [2, 3] && scenarios.map(\.after) == [nil, "one"])
  }

  @Test func `a cycle is an error with the names of its scenarios`() {
    #expect(
      mistakes(
        """
          - { name: one, given: { after: three }, then: {} }
          - { name: two, given: { after: one }, then: {} }
          - { name: three, given: { after: two }, then: {} }
          - { name: four, given: { after: four }, then: {} }
        """) == [
          "3:34: these scenarios start from each other's ends, in a cycle: one, three, two, one",
          "6:35: these scenarios start from each other's ends, in a cycle: four, four",
        ])
  }

  @Test func `an unknown name is an error with the most similar one`() {
    #expect(
      mistakes("  - { name: one, then: {} }\n  - { name: two, given: { after: oen }, then: {} }\n") == [
        "4:34: there is no scenario `oen`; did you mean `one`?"
      ])
    #expect(
      mistakes("  - { name: one, given: { after: elsewhere }, then: {} }\n") == [
        "3:34: there is no scenario `elsewhere`; `after` names a scenario of the same file"
      ])
    #expect(
      mistakes("  - { name: one, then: {} }\n  - { name: one, then: {} }\n  - { name: two, given: { after: one }, then: {} }\n") == [
        "5:34: 2 scenarios have the name `one`; give each its own name"
      ])
  }

  @Test func `after is the whole start of a scenario`() {
    #expect(
      mistakes("  - { name: one, then: {} }\n  - { name: two, given: { after: one, facts: {} }, then: {} }\n") == [
        "4:46: `after` takes the start state from the end of the other scenario; remove `facts`"
      ])
    #expect(mistakes("  - { name: one, given: { after: 3 }, then: {} }\n") == ["3:34: must be a string, not integer"])
  }

  @Test func `a failure has hints for misspelt names`() throws {
    #expect(
      try failures("  - { name: n, when: goo, then: { visible: list } }\n") == [
        [
          "refused: invalid, a has no step goo; /step: must be one of go, pick; did you mean go?",
          "visible: expected list\n         found    home",
        ]
      ])
    #expect(
      try failures("  - { name: n, when: go, then: { stack: [home, lits], facts: { isOpn: true }, steps: [mian go] } }\n").first??.suffix(3)
        == [
          "there is no screen lits; did you mean list?", "there is no flow mian; did you mean main?",
          "there is no fact isOpn; did you mean isOpen?",
        ])
    #expect(
      try failures("  - { name: n, given: { facts: { isOpn: true } }, then: { visible: home } }\n").first??.last
        == "there is no fact isOpn; did you mean isOpen?")
    #expect(
      try failures("  - { name: n, when: { type: popTo, screen: hme }, then: { outcome: performed } }\n").first??.last
        == "there is no screen or flow hme; did you mean home?")
  }

  @Test(arguments: [
    ("go", "go"), ("{ step: pick, params: { id: 7 }, from: home }", "pick(from: home, id: 7)"), ("[[go, back]]", "[go, back]"),
    ("{ open: \"a://x\" }", "open a://x"), ("{ advance: 90s }", "advance 90s"), ("{ undo: 3 }", "undo 3"), ("exchanged", "exchanged"),
    ("{ answer: { status: 404, after: 2s } }", "answer 404 after 2s"), ("{ loaded: 3 }", "loaded 3"),
    ("{ failed: timeout }", "failed timeout"),
    ("{ facts: { isOpen: true } }", "facts(set: { isOpen: true })"), ("{ type: select, tab: 1 }", "select(tab: 1)"),
    ("{ notification: {}, tap: false, state: foreground }", "notification, not tapped, foreground"),
  ]) func `an event has a text in one line`(when: String, text: String) throws {
    #expect(try read("  - { name: n, when: \(when), then: {} }\n").first?.occurrences.map(\.text) == [text])
  }
}
