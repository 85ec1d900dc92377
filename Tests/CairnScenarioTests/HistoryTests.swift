import CairnAPI
import CairnCore
import CairnDefinition
import CairnScenario
import CairnTesting
import Testing

/// The history of a session as a scenario. Running it leads to the final tree of the session.
@Suite struct `History as a scenario` {
  /// The scenario that a service returns for these entries, and the tree after them.
  private static func text(of entries: [Entry], _ reducer: Reducer) throws -> (text: String, tree: String) {
    var scenario = HistoryScenario()
    var state: State?
    for entry in entries {
      let before = state
      switch (entry.cause, before) {
      case (.creation(let creation), _): state = try reducer.create(creation, stamp: entry.stamp).state
      case (.action(let action), var next?):
        _ = try reducer.reduce(&next, action, stamp: entry.stamp)
        state = next
      case (.action, nil), (.replacement, _): break
      }
      if let state { scenario.add(Happening(entry, from: before, to: state, reducer)) }
    }
    return (scenario.text(app: "a", title: "t", notes: ["note"]), try #require(state.map { reducer.tree(of: $0).sketch }))
  }

  private static func failure(of text: String, on definition: Definition) throws -> ScenarioFailure? {
    ScenarioRun.run(try #require(try ScenarioReader.read(file: "x", text: text).scenarios.first), on: definition)
  }

  @Test(arguments: 0..<8, [false, true]) func `scenarios of random sessions end with the same tree`(block: Int, isOdd: Bool) throws {
    var count = 0
    for seed in (block * 40)..<(block * 40 + 20) {
      let definition = RandomDefinition.make(seed: UInt64(seed), isOdd: isOdd)
      guard var drive = try? Drive(definition, creation: Creation(manualClock: true)) else { continue }
      var chance = Chance(seed: UInt64(seed) &* 104_729)
      for _ in 0..<40 where drive.state.nodes.count < 100 {
        let action = RandomAction.make(&chance, for: drive.state, isOdd: isOdd)
        // Instead of a random end of an effect, the clock advances, so that each timer runs at its deadline.
        if case .effect = action { drive.advance(chance.below(4_000)) } else { drive.run(action) }
        // A service runs a timer at once if it is already due.
        if drive.state.hasDueTimer { drive.advance(0) }
      }
      count += 1
      let (text, tree) = try Self.text(of: drive.entries, drive.reducer)
      #expect(drive.sketch == tree)
      let failure = try Self.failure(of: text, on: definition)
      #expect(failure == nil, "seed \(seed): \(failure?.differences.joined(separator: "\n") ?? "")\n\(text)")
    }
    #expect(count > 10)
  }

  /// A session as a service runs it, with the clock of the machine, late timers and slow requests.
  private struct Running {
    let reducer: Reducer
    var state: State
    var entries: [Entry]
    var time = 1_000_000

    init(_ yaml: String, _ creation: Creation) throws {
      reducer = Reducer(try DefinitionLoader.load(file: "t.yaml", text: yaml).definition)
      let stamp = Stamp(time: time, nonce: "born")
      state = try reducer.create(creation, stamp: stamp).state
      entries = [Entry(revision: 1, stamp: stamp, cause: .creation(creation))]
    }

    /// Posts a command after a number of milliseconds.
    mutating func post(_ command: Command, after wait: Int) throws {
      time += wait
      let action = try reducer.seal(command, for: state).action
      let stamp = Stamp(time: time, nonce: "nonce\(time)")
      guard try reducer.reduce(&state, action, stamp: stamp).outcome != .unchanged else { return }
      entries.append(Entry(revision: state.revision, stamp: stamp, cause: .action(action)))
    }

    mutating func step(_ name: String, _ params: [String: Value] = [:], after wait: Int) throws {
      try post(.action(.step(Step(name, params: params), from: nil)), after: wait)
    }

    /// Ends the newest effect that matches a condition.
    mutating func end(_ completion: Action.Completion, after wait: Int, where isMeant: (Effect) -> Bool) throws {
      let found = state.effects.last(where: isMeant)
      try post(.action(.effect(id: try #require(found).id, completion)), after: wait)
    }
  }

  private static let app = """
    app: a
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts:
      server: { type: string, env: A_SERVER }
      city: { type: string, env: A_CITY, shown: true }
      level: { type: integer, env: A_LEVEL }
    screens:
      list:
      note: { params: { id: integer } }
      hint: { emits: [hintIsRead] }
      login: { params: { url: string } }
    steps:
      noteIsPicked: { id: integer }
      newsAreRequired:
      hintIsDue:
      hintIsRead:
      loginIsRequired:
      loginIsOver:
    rules: [{ when: { fact: accessToken, is: present }, send: loginIsOver }]
    flows:
      main:
        stack: { screen: list, timer: { after: 10s, send: hintIsDue, covered: fire } }
        handle:
          noteIsPicked: { push: note, with: { id: $id } }
          newsAreRequired: { load: { get: "{fact.server}/news" } }
          hintIsDue: { present: hint }
          hintIsRead: dismiss
          loginIsRequired: { push: login, with: { url: $oauth.authorizeUrl } }
          loginIsOver: popToRoot
    links:
      - { scheme: a, path: "/notes/{id}", requires: { fact: accessToken, is: present }, send: noteIsPicked }
    oauth:
      authorizationEndpoint: { env: A_LOGIN, path: /authorize }
      tokenEndpoint: { env: A_LOGIN, path: /token }
      clientId: { env: A_CLIENT, default: a }
      clientSecret: { env: A_SECRET }
      redirectUrl: { env: A_REDIRECT, default: "a://login" }
    """

  private static let environment = [
    "A_SERVER": "https://inside.secret.example", "A_CITY": "Oslo: \"x\"", "A_LEVEL": "7", "A_LOGIN": "https://login.secret.example",
  ]

  @Test func `late and outside events of a service are replayed, and no secret is shown`() throws {
    var running = try Running(Self.app, Creation(environment: Self.environment))
    try running.post(.open(url: "a://notes/3"), after: 10)
    try running.step("loginIsRequired", after: 500)
    var states: [String] = []
    for (answer, delay) in [("error=access_denied", 50), ("code=secretcode", 200), ("code=secretcode", 200)] {
      // A redirect uses up the OAuth state of the page, and the page gets a new one.
      let state = try #require(running.state.nodes.values.compactMap(\.authorization).first)
      states.append(state)
      try running.post(.open(url: "a://login?\(answer)&state=\(state)"), after: delay)
    }
    try running.end(.failed("http-status: 500"), after: 100, where: \.isExchange)
    try running.end(.exchanged, after: 300, where: \.isExchange)
    #expect(running.reducer.tree(of: running.state).sketch == "main[list, note(id: 3)]")
    // Posted between the deadline of the timer and its late execution.
    try running.step("newsAreRequired", after: 8_642)
    try running.post(.action(.effect(id: try #require(running.state.effects.first).id, .due(tick: 1))), after: 5)
    try running.end(.loaded(["text": "a: \"b\"\u{2028}\u{7F}", "count": .number(1.5)]), after: 700, where: \.isLoad)
    try running.step("hintIsRead", after: 100)
    try running.post(
      .action(.notification(url: "a://notes/9", category: "news", tap: true, appState: .foreground)), after: 3_600_000)
    try running.post(.token("secrettoken"), after: 5)
    try running.post(.action(.logout), after: 5)
    let (text, tree) = try Self.text(of: running.entries, running.reducer)
    #expect(tree == running.reducer.tree(of: running.state).sketch)
    let failure = try Self.failure(of: text, on: running.reducer.definition)
    #expect(failure == nil, "\(failure?.differences.joined(separator: "\n") ?? "")\n\(text)")
    for secret in ["secret.example", "secretcode", "secrettoken"] + states { #expect(!text.contains(secret), "\(secret)") }
    #expect(text.contains(#"A_CITY: "Oslo: \"x\"""#) && text.contains(#"A_LEVEL: "0""#))
  }

  @Test func `the tree of a page with a random state is omitted, also in a session without actions`() throws {
    var running = try Running(Self.app, Creation(hasToken: true, facts: ["level": 3], environment: Self.environment))
    let (start, _) = try Self.text(of: running.entries, running.reducer)
    #expect(start.contains("accessToken: secret") && start.contains("facts: { level: 3 }"))
    #expect(start.hasSuffix("    steps:\n      - then: { visible: list, tree: \"main[list]\" }\n"))
    #expect(try Self.failure(of: start, on: running.reducer.definition) == nil)
    try running.step("loginIsRequired", after: 500)
    let (text, _) = try Self.text(of: running.entries, running.reducer)
    #expect(text.hasSuffix("      - when: [{ advance: 500ms }, { step: loginIsRequired }]\n        then: { visible: login }\n"))
    #expect(try Self.failure(of: text, on: running.reducer.definition) == nil)
  }

  @Test(arguments: ["timeout: 2m", "every: 20s, until: { result: /done, is: true }"])
  func `a response after the call's usual time, but within its own timeout, is recorded at its time`(terms: String) throws {
    let app = """
      app: a
      language: 1
      compat: { emits: any }
      root: { flow: main }
      allowHosts: [a.example]
      screens: { list: {} }
      steps: { newsAreRequired: }
      flows:
        main:
          stack: list
          handle:
            newsAreRequired: { load: { get: "https://a.example/news", \(terms) } }
      """
    var running = try Running(app, Creation())
    try running.step("newsAreRequired", after: 100)
    try running.end(.loaded(["done": true, "text": "late"]), after: 70_000, where: \.isLoad)
    let (text, tree) = try Self.text(of: running.entries, running.reducer)
    #expect(text.contains("{ advance: 70000ms }"), "\(text)")
    #expect(tree == running.reducer.tree(of: running.state).sketch)
    let failure = try Self.failure(of: text, on: running.reducer.definition)
    #expect(failure == nil, "\(failure?.differences.joined(separator: "\n") ?? "")\n\(text)")
  }

  @Test func `a history in which a user acted without having seen what came before is not a scenario`() throws {
    let app = """
      app: late
      language: 1
      root: main
      screens: { form: { emits: [sent] }, done: , alarm: }
      steps: { raised: { by: operator } }
      flows: { main: { stack: form, handle: { sent: { push: done }, raised: { present: alarm } } } }
      """
    let reducer = Reducer(try DefinitionLoader.load(file: "late.yaml", text: app).definition)
    let creation = Creation(manualClock: true)
    let stamp = Stamp(time: 0, nonce: "")
    var state = try reducer.create(creation, stamp: stamp).state
    var scenario = HistoryScenario()
    scenario.add(Happening(Entry(revision: 1, stamp: stamp, cause: .creation(creation)), from: nil, to: state, reducer))
    let form = try #require(state.visibleLeaf?.id)
    func add(_ action: Action, _ covers: [Cover]) throws {
      let before = state
      let stamp = Stamp(time: 0, nonce: "", covers: covers)
      _ = try reducer.reduce(&state, action, stamp: stamp)
      scenario.add(Happening(Entry(revision: state.revision, stamp: stamp, cause: .action(action)), from: before, to: state, reducer))
    }
    try add(.step(Step("raised"), from: nil), [])
    #expect(scenario.obstacle == nil)
    let alarm = try #require(state.visibleLeaf?.id)
    try add(.step(Step("sent"), from: form), [Cover(alarm)])
    #expect(scenario.obstacle?.contains("had no network") == true)
  }
}
