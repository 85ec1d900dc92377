@testable import CairnCore
import CairnTesting
import Testing

/// An app with a stack, modals, links, facts and loads. It is used for corner cases of links, loads and destroyed nodes.
private let calls = """
  app: calls
  language: 1
  compat: { emits: any, words: [listen] }
  root: { flow: main }
  facts: { ready: { type: boolean, default: false }, number: { type: integer }, note: { type: any } }
  screens:
    home: {}
    a: {}
    page: { params: { url: string } }
    alert: { emits: [answered] }
  steps:
    go: {}
    mark: {}
    warn: {}
    answered: {}
    visit: { url: string }
    numbered: { n: integer }
    fetch: {}
    watch: {}
    double: {}
    nest: {}
    copy: {}
    every: {}
    tick:
  flows:
    main:
      stack: home
      handle:
        go: { push: a }
        mark: { content: { marked: 1 } }
        warn: { present: alert, style: alert }
        answered: []
        visit: { push: page, with: { url: $url } }
        numbered: { push: a }
        fetch: { load: { value: { n: 1 }, delay: 1s, while: visible }, of: flow }
        watch: { push: a, listen: { dismissed: true } }
        double: { content: { x: [$content.x, $content.x] } }
        nest: { content: { x: { inner: $content.x } } }
        copy: { write: { note: [$fact.note, $fact.note] } }
        every: { timer: { every: 1s, send: tick } }
        tick: []
  links:
    - { scheme: x, path: "/both", send: [go, mark] }
    - { scheme: x, path: "/warn", send: warn }
    - { scheme: x, path: "/template", query: [a, b], send: visit, with: { url: "{a}{b}" } }
    - { scheme: x, path: "/held", requires: { fact: ready }, send: numbered, with: { n: $fact.number } }
    - { scheme: x, path: "/{id}", send: visit, with: { url: $id } }
  """

@Suite struct `Corner cases` {
  private func drive() throws -> Drive { try Drive(calls, creation: Creation(manualClock: true)) }

  @Test func `each step of a link comes from the screen that is visible at its turn`() throws {
    var drive = try drive()
    drive.run(.open(url: "x://both"))
    #expect(drive.sketch == "main[home, a~{marked:1}]")
    #expect(drive.broken == [])
  }

  @Test func `a step of a link comes from a visible alert, which closes only if the link is followed`() throws {
    var drive = try drive()
    drive.step("warn")
    drive.run(.open(url: "x://warn"))
    #expect(drive.outcome == "already-presenting" && drive.sketch == "main[home] ^ alert")
    drive.run(.open(url: "x://template?a=y&b="))
    #expect(drive.sketch == "main[home, page(url: y)]")
    #expect(drive.broken == [])
  }

  @Test func `only the first placeholder of a template is inserted unencoded, even if it is empty`() throws {
    var drive = try drive()
    drive.run(.open(url: "x://template?a=&b=y%2Fz"))
    #expect(drive.sketch == "main[home, page(url: y%2Fz)]")
  }

  @Test func `for a custom scheme the host is part of the path and keeps its case`() throws {
    var drive = try drive()
    drive.run(.open(url: "X://AbC"))
    #expect(drive.sketch == "main[home, page(url: AbC)]")
  }

  @Test func `a held link that is invalid by then is dropped, and rejects nothing else`() throws {
    var drive = try drive()
    drive.run(.facts(["number": 1]))
    drive.run(.open(url: "x://held"))
    #expect(drive.outcome == "pending")
    drive.run(.facts(["number": .null]))
    #expect(drive.outcome == "performed")
    drive.step("go")
    #expect(drive.sketch == "main[home, a]")
    drive.run(.facts(["ready": true]))
    #expect(drive.outcome == "performed")
    #expect(drive.last.events.map(\.type) == [.linkDropped])
    #expect(drive.last.events.first?.reason == "invalid")
    #expect(drive.state.pendingLinks.isEmpty)
    #expect(drive.sketch == "main[home, a]")
  }

  @Test func `a link that is already held is held again, also at the same time`() throws {
    var drive = try drive()
    drive.run(.facts(["number": 1]))
    drive.run(.open(url: "x://held"))
    let revision = drive.state.revision
    drive.run(.open(url: "x://held"))
    #expect(drive.outcome == "pending")
    #expect(drive.state.revision == revision + 1)
    #expect(drive.broken == [])
  }

  @Test func `a load while visible of a container runs while no modal covers the container`() throws {
    var drive = try drive()
    drive.step("fetch")
    #expect(drive.state.effects.count == 1)
    drive.step("go")
    drive.advance(1_000)
    #expect(drive.sketch == "main[home, a]~{n:1}")
    drive.step("fetch")
    drive.step("warn")
    #expect(drive.state.effects.map(\.isIdle) == [true] && drive.state.upcoming == [])
    #expect(drive.last.events.map(\.type).contains(.loadCancelled))
    drive.run(.dismiss(node: nil))
    #expect(drive.state.upcoming.count == 1 && drive.last.events.map(\.type).contains(.loadStarted))
    #expect(drive.broken == [])
  }

  @Test func `pop, popTo and dismiss of a destroyed node report that it is gone`() throws {
    var drive = try drive()
    for _ in 0..<3 { drive.step("go") }
    let top = drive.id("a")
    drive.run(.popTo(.node(NodeID(3))))
    #expect(drive.sketch == "main[home, a]")
    drive.run(.popTo(.node(top)))
    #expect(drive.outcome == "dismissed")
    drive.run(.dismiss(node: NodeID(3)))
    #expect(drive.outcome == "invalid")
    drive.run(.dismiss(node: top))
    #expect(drive.outcome == "dismissed")
  }

  @Test func `a step of a destroyed screen under covered accept reads and writes no other screen`() throws {
    var drive = try Drive(calls.replacing("compat: {", with: "compat: { covered: accept,"), creation: Creation(manualClock: true))
    drive.step("go")
    let gone = drive.id("a")
    drive.run(.pop(count: 1, node: nil))
    drive.step("mark", from: gone)
    #expect(drive.outcome == "unchanged (dismissed)")
    #expect(drive.sketch == "main[home]")
    drive.step("go", from: gone)
    #expect(drive.sketch == "main[home, a]")
    #expect(drive.broken == [])
  }
}

@Suite struct `Simultaneous logins` {
  @Test func `a failed attempt keeps another running one, and an existing token`() throws {
    let environment = ["QIITA_CLIENT_ID": "c", "QIITA_REDIRECT_URL": "https://a/cb"]
    var drive = try Drive(app: "qiita", creation: Creation(environment: environment))
    drive.step("login.webView")
    for code in 1...3 {
      // A redirect uses up the OAuth state of the page, and the page gets a new one.
      let state = try #require(drive.state.visibleLeaf?.authorization)
      drive.post(.open(url: "https://a/cb?code=\(code)&state=\(state)"))
    }
    drive.run(.effect(id: 1, .failed("timeout")))
    #expect(drive.state.login == Login(status: .requesting, reason: "timeout"))
    drive.run(.effect(id: 2, .exchanged))
    drive.run(.effect(id: 3, .failed("timeout")))
    #expect(drive.state.login == Login(status: .loggedIn, reason: "timeout"))
    #expect(drive.state.facts["accessToken"] == true)
    #expect(drive.routes == ["searchTop"])
  }
}

@Suite struct `Bounds of nesting and growth` {
  private func drive() throws -> Drive { try Drive(calls, creation: Creation(manualClock: true)) }

  @Test func `a flow that pushes itself inside itself is rejected at the maximum depth`() throws {
    var drive = try Drive(
      """
      app: deep
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { s: {} }
      steps: { deeper: {} }
      flows: { main: { stack: s, handle: { deeper: { push: { flow: main } } } } }
      """)
    for _ in 0..<300 where drive.refusal == nil { drive.step("deeper") }
    #expect(drive.outcome == "session-too-large")
    #expect(drive.state.nodes.count == 2 * Limits.depthLimit - 2)
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.outcome == "performed")
    #expect(drive.broken == [])
  }

  @Test func `the length of a chain in which each flow pushes the next is not bounded`() throws {
    let reducer = try Drive(
      """
      app: chain
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { s: {} }
      steps: { on: {}, top: {} }
      flows:
        main: { stack: { flow: link }, handle: { top: popToRoot } }
        link: { screen: s, handle: { on: { push: { flow: link } } } }
      links: [ { scheme: x, path: "/all", send: top, to: all } ]
      """
    ).reducer
    var state = try reducer.create(Creation(), stamp: Stamp(time: 0, nonce: "n")).state
    // Builds the state that about 15,000 pushes would have produced.
    let count = 15_000
    for number in 3...count {
      let id = NodeID(number)
      state.nodes[id] = Node(id: id, kind: .screen, name: "s", flow: "link", owner: NodeID(number - 1), parent: state.root)
      state.nodes.link(id, to: state.root)
    }
    state.nextNode = count + 1
    _ = try reducer.reduce(&state, .step(Step("on"), from: nil), stamp: Stamp(time: 1, nonce: "n"))
    #expect(reducer.accepts(state).steps.map(\.step) == ["on", "top"])
    #expect(state.flows(from: [state.root]).count == count + 1)
    _ = try reducer.reduce(&state, .step(Step("top"), from: nil), stamp: Stamp(time: 2, nonce: "n"))
    #expect(state.nodes.count == 2)
  }

  @Test func `a value that doubles or nests itself stops growing`() throws {
    var drive = try drive()
    drive.step("mark")
    drive.run(.facts(["note": 1]))
    for _ in 0..<25 { drive.step("double") }
    for _ in 0..<25 { drive.step("copy") }
    #expect(try #require(drive.state.facts["note"]).isWithinBounds)
    // In another session, the value is nested instead of doubled and stays small, because comparing the doubled value would take long.
    var other = try self.drive()
    other.step("mark")
    for _ in 0..<200 { other.step("nest") }
    for drive in [drive, other] {
      #expect(try #require(drive.state.nodes[NodeID(2)]?.content?.value).isWithinBounds)
      #expect(drive.broken == [])
    }
  }

  @Test func `the number of destroyed screens that may still send steps is bounded, and the oldest are dropped`() throws {
    let reducer = try drive().reducer
    var state = try drive().state
    for count in 0..<(Limits.listenerLimit + 10) {
      let stamp = Stamp(time: count, nonce: "n")
      _ = try reducer.reduce(&state, .step(Step("watch"), from: nil), stamp: stamp)
      _ = try reducer.reduce(&state, .pop(count: 1, node: nil), stamp: stamp)
    }
    #expect(state.listeners.count == Limits.listenerLimit)
    #expect(state.listeners.last?.node == NodeID(state.nextNode - 1))
  }

  @Test func `the number of timers is bounded only by that of all effects`() throws {
    let reducer = try drive().reducer
    var state = try drive().state
    let timer = Effect.Work.timer(name: nil, step: Step("tick"), delay: 1, period: nil, ticks: 0)
    state.effects = (1...Bounds.ceiling.effects).map { Effect(id: $0, owner: NodeID(2), start: 0, work: timer) }
    state.nextEffect = Bounds.ceiling.effects + 1
    let before = state
    #expect(throws: Refusal.self) { try reducer.reduce(&state, .step(Step("every"), from: nil), stamp: Stamp(time: 1, nonce: "n")) }
    #expect(state == before)
  }

  @Test func `an advance by a huge time is rejected without an overflow`() throws {
    let drive = try drive()
    #expect(throws: Refusal.self) { try drive.reducer.seal(.advance(by: .max), for: drive.state) }
  }
}
