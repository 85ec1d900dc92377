import CairnCore
import CairnDefinition
import CairnScenario
import Testing

/// Scenarios of a user without a network. Tests/Acceptance/late-work.scenarios.yaml contains more cases.
@Suite struct `Scenarios without a network` {
  private static let app = """
    app: late
    language: 1
    root: main
    screens: { form: { params: { id: integer }, emits: { sent: { id: integer } } }, alarm: { emits: [closed] }, lock: }
    steps: { raised: { by: operator }, locked: { by: operator }, ended: { by: operator } }
    flows:
      main:
        stack: { screen: form, with: { id: 0 }, timer: { after: 1h, send: raised } }
        handle:
          sent: { push: form, with: { id: $id } }
          raised: { present: alarm }
          closed: dismiss
          locked: { present: lock, level: 9, sealed: true }
          ended: popToRoot
    """

  /// The differences that a scenario with these members reports; `nil` if it passes.
  private func differences(_ members: String) throws -> [String]? {
    let scenario = try #require(try ScenarioReader.read(file: "x", text: Self.file(members)).scenarios.first)
    return ScenarioRun.run(scenario, on: try DefinitionLoader.load(file: "late.yaml", text: Self.app).definition)?.differences
  }

  private static func file(_ members: String) -> String { "app: late.yaml\nscenarios:\n  - { name: n, \(members) }\n" }

  private func mistakes(_ members: String) -> [String] {
    do throws(InvalidDefinition) {
      _ = try ScenarioReader.read(file: "x", text: Self.file(members))
      return []
    } catch {
      return error.diagnostics.map { "\($0.line):\($0.column): \($0.message)" }
    }
  }

  private static let sent = "{ step: sent, params: { id: 1 } }"

  @Test(arguments: [
    ("offline: [\(Self.sent), \(Self.sent), back]", "main[form(id: 0), form(id: 1)] ^ alarm"),
    ("offline: { step: sent, params: { id: 2 }, from: form }", "main[form(id: 0), form(id: 2)] ^ alarm"),
    ("offline: []", "main[form(id: 0)] ^ alarm"),
  ]) func `what others have put on top is in front of what the user did`(offline: String, tree: String) throws {
    #expect(try differences("\(offline), meanwhile: raised, online: { refused: [], tree: \"\(tree)\" }") == nil)
    #expect(try differences("\(offline), meanwhile: { advance: 1h }, online: { refused: [], tree: \"\(tree)\" }") == nil)
  }

  @Test func `a refused action is expected by its name and code, and none is if there is no list`() throws {
    #expect(
      try differences("offline: [\(Self.sent), back], meanwhile: locked, online: { refused: [sent hidden, back dismissed], visible: lock }")
        == nil)
    let missing = try #require(try differences("offline: \(Self.sent), meanwhile: locked, online: { visible: lock }"))
    #expect(missing.first == "refused: expected []\n         found    [\"sent hidden\"]")
    #expect(missing.last?.hasPrefix("refused: sent: ") == true)
    #expect(
      try differences("offline: \(Self.sent), online: { refused: [sent hidden] }") == [
        "refused: expected [\"sent hidden\"]\n         found    []"
      ])
  }

  @Test func `a page that others have removed takes its actions along, and no others`() throws {
    let start = "{ when: \(Self.sent), then: { stack: [form, form] } }"
    let queue = "offline: [\(Self.sent), back, back, \(Self.sent)]"
    let refused = "[sent dismissed, back dismissed, back dismissed]"
    #expect(
      try differences(
        "steps: [\(start), { \(queue), meanwhile: ended, online: { refused: \(refused), tree: \"main[form(id: 0), form(id: 1)]\" } }]")
        == nil)
  }

  @Test func `several queues follow one another`() throws {
    let queue = "{ offline: \(Self.sent), meanwhile: raised, online: { refused: [], visible: alarm } }"
    let closed = "{ when: closed, then: { visible: form } }"
    #expect(
      try differences("steps: [\(queue), \(closed), \(queue), \(closed), { then: { stack: [form, form, form] } }]") == nil)
  }

  @Test func `an action that the client refuses is a failure, and a gesture that changes nothing is not posted`() throws {
    #expect(try differences("offline: [back, back], meanwhile: locked, online: { refused: [], visible: lock }") == nil)
    let refused = try differences("offline: closed, online: { visible: form }")
    #expect(refused?.first?.hasPrefix("refused: not-in-contract, without a network, closed is refused: ") == true)
  }

  @Test func `an event of others that the service refuses is a failure`() throws {
    #expect(
      try differences("offline: \(Self.sent), meanwhile: nothing, online: { visible: form }")?.first?.hasPrefix("refused: invalid, ")
        == true)
  }

  @Test func `a queue may have more actions than one request`() throws {
    let taps = (0..<60).flatMap { _ in [Self.sent, "back"] } + [Self.sent]
    let tree = "main[form(id: 0), form(id: 1)] ^ alarm"
    #expect(
      try differences("offline: [\(taps.joined(separator: ", "))], meanwhile: raised, online: { refused: [], tree: \"\(tree)\" }") == nil)
  }

  @Test func `the tree of the client is known before the delivery`() throws {
    let text = Self.file("offline: [\(Self.sent), back, \(Self.sent)], meanwhile: raised, online: {}")
    let scenario = try #require(try ScenarioReader.read(file: "x", text: text).scenarios.first)
    #expect(scenario.occurrences.map(\.text) == ["offline [sent(id: 1), back, sent(id: 1)]", "raised", "online"])
    #expect(scenario.size == 5)
    var run = ScenarioRun(try DefinitionLoader.load(file: "late.yaml", text: Self.app).definition)
    _ = try run.start(scenario.given)
    #expect(try run.play(scenario.occurrences[0]).shown == "main[form(id: 0), form(id: 1)]")
    #expect(run.look().tree == "main[form(id: 0)]")
    // The last action names the screen that the user saw again, and not a screen that an action in the queue creates.
    let actions = run.queue?.bodies(seen: 1).first?["actions"]
    let from: [Value?] = if case .array(let actions)? = actions { actions.map { $0["from"] } } else { [] }
    let expected: [Value?] = ["n2", ["action": 1, "node": 0], "n2"]
    #expect(from == expected)
  }

  @Test(arguments: [
    (
      "offline: back, then: { visible: form }",
      [
        "3:5: `offline` needs `online`, which contains the expected results, and `online` and `meanwhile` need `offline`",
        "3:5: a step must have either `when` and `then`, or `offline`, `meanwhile` and `online`",
        "3:5: `then` is missing; a scenario without expectations cannot fail",
      ]
    ),
    (
      "meanwhile: back, online: {}",
      ["3:5: `offline` needs `online`, which contains the expected results, and `online` and `meanwhile` need `offline`"]
    ),
    (
      "offline: [{ advance: 5s }], online: {}", ["3:26: must be an action that a client posts later: a step, a gesture, or `open`"]
    ),
    ("offline: back, online: { refused: hidden }", ["3:50: must be a list, not string"]),
    ("offlne: back, then: {}", ["3:24: `offlne` is unknown; did you mean `offline`?"]),
  ]) func `a queue that is not complete is a mistake`(members: String, said: [String]) {
    #expect(mistakes(members) == said)
  }
}
