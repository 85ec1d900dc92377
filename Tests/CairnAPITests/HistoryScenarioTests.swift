import CairnAPI
import CairnCore
import CairnDefinition
import Testing

/// The text of the scenario that is made from a history. Another target tests that the scenario passes.
@Suite struct `Text of a history as a scenario` {
  private static let app = """
    app: small
    language: 1
    compat: { emits: any, words: [listen] }
    root: { flow: main }
    facts:
      inner: { type: optional integer, env: INNER_LIMIT }
      outer: { type: optional string, env: OUTER_URL, shown: true }
    allowHosts: [api.example]
    screens: { home: , page: , late: }
    steps: { go: , due: , call: , fetched: }
    links: [{ scheme: small, path: /page, send: go }]
    notifications: { suppress: [{ category: quiet, when: { visible: page } }] }
    flows:
      main:
        stack: { screen: home, listen: { hidden: true }, timer: { after: 5s, send: due } }
        handle:
          go: { push: page }
          due: { push: late }
          call: { load: { get: "https://api.example/x", then: fetched, else: fetched }, of: flow }
          fetched: []
    """

  private let reducer: Reducer

  init() throws { reducer = Reducer(try DefinitionLoader.load(file: "small.yaml", text: Self.app).definition) }

  /// The scenario's lines below its name, for actions with their times in milliseconds since the start.
  private func lines(_ actions: [(Int, Action)], _ creation: Creation = Creation(), notes: [String] = []) throws -> [String] {
    var scenario = HistoryScenario()
    let start = Stamp(time: 1_000_000, nonce: "n0")
    var state = try reducer.create(creation, stamp: start).state
    scenario.add(Happening(Entry(revision: 1, stamp: start, cause: .creation(creation)), from: nil, to: state, reducer))
    for (time, action) in actions {
      let before = state
      let stamp = Stamp(time: 1_000_000 + time, nonce: "n\(time)")
      _ = try reducer.reduce(&state, action, stamp: stamp)
      scenario.add(Happening(Entry(revision: state.revision, stamp: stamp, cause: .action(action)), from: before, to: state, reducer))
    }
    return scenario.text(app: "small", title: "a \"title\"", notes: notes).split(separator: "\n").map(String.init)
  }

  private func steps(_ actions: [(Int, Action)]) throws -> [String] { Array(try lines(actions).dropFirst(4)) }

  private let go = Action.step(Step("go"), from: nil)

  @Test func `a session without actions expects its visible screen`() throws {
    #expect(
      try lines([], notes: ["one", "two"]) == [
        "# one", "# two", "app: small.yaml", "scenarios:", #"  - name: "a \"title\"""#, "    steps:",
        #"      - then: { visible: home, tree: "main[home]" }"#,
      ])
  }

  @Test func `each step contains its time, and the last step expects the tree`() throws {
    #expect(
      try steps([(0, go), (1_500, .back)]) == [
        "      - then: { visible: home }", "      - when: { step: go }", "        then: { visible: page }",
        "      - when: [{ advance: 1500ms }, back]", #"        then: { visible: home, tree: "main[home]" }"#,
      ])
  }

  @Test func `a timer that ran late runs at its deadline, before the actions posted in between`() throws {
    let late = try steps([(5_200, .effect(id: 1, .due(tick: 1))), (5_300, .back)])
    #expect(
      late == [
        "      - then: { visible: home }", "      - when: { advance: 5000ms }", "        then: { visible: late }",
        "      - when: [{ advance: 300ms }, back]", #"        then: { visible: home, tree: "main[home]" }"#,
      ])
    #expect(try steps([(5_200, go)])[1] == "      - when: [{ advance: 4999ms }, { step: go }]")
  }

  @Test func `links, notifications and results of requests are written as they were posted`() throws {
    let call = Action.step(Step("call"), from: nil)
    #expect(
      try steps([
        (0, .open(url: "small://page")), (0, .notification(url: "small://page", category: "c", tap: false, appState: .foreground)),
        (0, call),
        (0, .effect(id: 2, .loaded(["a": 1]))), (0, call), (0, .effect(id: 3, .failed("status-500"))),
      ]).filter { $0.contains("when") } == [
        "      - when: { open: \"small://page\" }",
        "      - when: { notification: { aps: { category: c }, url: \"small://page\" }, state: foreground, tap: false }",
        "      - when: { step: call }", "      - when: { loaded: { a: 1 } }", "      - when: { step: call }",
        "      - when: { failed: status-500 }",
      ])
  }

  @Test func `given contains neither the token nor hidden variables`() throws {
    let creation = Creation(
      hasToken: true, facts: [:], environment: ["INNER_LIMIT": "7", "OUTER_URL": "https://shown.example", "OTHER_KEY": "secret-key"],
      manualClock: false)
    let lines = try lines([], creation)
    #expect(
      Array(lines[3...5]) == [
        "    given:", "      accessToken: secret",
        #"      environment: { INNER_LIMIT: "0", OTHER_KEY: "https://other-key.example", OUTER_URL: "https://shown.example" }"#,
      ])
    #expect(!lines.joined().contains("secret-key"))
  }
}
