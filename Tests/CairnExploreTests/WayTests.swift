import CairnCore
import CairnExplore
import CairnScenario
import Testing

/// The paths of findings, and the paths that cover all transitions, as scenario files.
@Suite struct `Paths as scenarios` {
  private static let app = """
    app: trial
    language: 1
    compat: { words: [end] }
    root: { flow: main }
    screens: { home: { emits: [go] }, page: { emits: [deeper, back] }, end: { emits: [] } }
    steps: { go: , deeper: , back: }
    flows: { main: { stack: home, handle: { go: { push: page }, deeper: { set: [end] }, back: pop } } }
    """

  @Test func `the last move of a path is a separate step, which expects the resulting tree`() throws {
    let way = try Trial(Self.app).way(to: "dead: no action on end makes progress")
    #expect(
      way == """
        - name: "dead: no action on end makes progress"
          steps:
            - when:
                - { step: go }
            - when: { step: deeper }
              then: { tree: "main[end]" }
        """)
  }

  @Test func `the scenario of a finding fails once the fault is corrected`() throws {
    let faulty = try Trial(Self.app)
    let way = try faulty.way(to: "dead: no action on end makes progress")
    #expect(try faulty.play([way]) == 1)
    let mended = try Trial(Self.app.replacing("{ set: [end] }", with: "{ push: end }"))
    let file = try ScenarioReader.read(file: "way", text: ScenarioText.file(app: "trial.yaml", cases: [way]))
    let scenario = try #require(file.scenarios.first)
    #expect(ScenarioRun.run(scenario, on: mended.definition) != nil)
  }

  @Test func `a dropped step is expected too`() throws {
    let trial = try Trial(
      Self.app.replacing("back: pop", with: "back: { send: note, to: current }").replacing(
        "back: }", with: "back: , note: }"))
    let way = try trial.way(to: "dropped: the step note is dropped: not-handled")
    #expect(way.contains("dropped: [\"note not-handled\"]"))
    try trial.play([way])
  }

  @Test func `cases are indented below their file, which names its app`() {
    #expect(
      ScenarioText.file(app: "a b.yaml", cases: ["- name: x\n  steps: []", "- name: y\n  steps: []"])
        == "app: \"a b.yaml\"\nscenarios:\n  - name: x\n    steps: []\n\n  - name: y\n    steps: []\n")
    #expect(ScenarioText.file(app: "a", cases: []) == "app: \"a\"\nscenarios: []\n")
  }

  @Test func `a cover passes, sends each step from each screen, and is made only on request`() throws {
    #expect(try Trial(Self.app).found.cover == [])
    let trial = try Trial(Self.app, covers: true)
    #expect(try trial.play(trial.found.cover) == trial.found.cover.count)
    let all = trial.found.cover.joined(separator: "\n")
    for word in ["step: go", "step: deeper", "step: back", "{ type: pop }", "back"] { #expect(all.contains(word), "\(word)") }
  }

  @Test func `an app gives the same cover and findings with any number of threads`() throws {
    let one = try Trial(Self.app, covers: true) { ($0.depth, $0.threads) = (3, 1) }
    let three = try Trial(Self.app, covers: true) { ($0.depth, $0.threads) = (3, 3) }
    #expect(one.found.cover == three.found.cover && one.told == three.told && one.found.unknown == three.found.unknown)
    #expect(one.found.findings.map(\.scenario) == three.found.findings.map(\.scenario))
  }
}
