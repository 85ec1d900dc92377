import CairnCore
import CairnTesting
import Testing

/// A flow that removes its own node and whose later operations still run.
@Suite struct `Flows that remove themselves` {
  private static let app = """
    app: gone
    language: 1
    compat: { emits: any, words: [end, listen] }
    root: { flow: main }
    screens: { home: {}, wizard: {}, x: {}, y: {} }
    steps: { open: {}, listen: {}, replace: {}, set: {}, end: {}, ended: {}, next: {}, done: {}, close: {}, closed: {}, modal: {}, reveal: {}, count: {}, stop: {}, twice: {} }
    flows:
      main:
        stack: { screen: home, content: { count: 0, closed: 0 } }
        handle:
          open: { push: { flow: wizard } }
          listen: { push: { flow: wizard, listen: { dismissed: true } } }
          modal: { present: { flow: sheet } }
          twice: [{ push: { flow: wizard } }, { push: { flow: wizard } }]
          next: { push: y }
          ended: { content: { count: { add: 1 } }, of: home }
          closed: { content: { closed: { add: 1 } }, of: home }
      wizard:
        screen: wizard
        handle:
          replace: { replace: x }
          set: { set: [home, x] }
          reveal: [{ reveal: home }, { push: x }]
          end: [{ end: ended }, { push: x }]
          count: { content: { count: { add: 1 } }, of: home }
          stop: { end: ended }
      sheet:
        stack: x
        handle:
          close: dismiss
          done: [dismiss, { send: closed }]
          end: [dismiss, { end: ended }]
    """

  @Test(arguments: ["replace", "set", "reveal", "end"]) func `a removed flow is replaced by a screen whose steps reach the flow above`(
    step: String
  ) throws {
    var drive = try Drive(Self.app)
    drive.step("open")
    drive.step(step)
    #expect(drive.outcome == "performed")
    drive.step("next")
    #expect(drive.outcome == "performed")
    #expect(drive.routes.suffix(2) == ["x", "y"])
    #expect(drive.broken == [])
  }

  @Test func `with listen a removed flow still handles steps until it ends, as in RxFlow`() throws {
    var drive = try Drive(Self.app)
    drive.step("listen")
    let wizard = drive.id("wizard")
    drive.step("replace")
    #expect(drive.sketch.hasSuffix(", x]"))
    // The screen that replaces the flow belongs to the flow, which still handles the screen's steps.
    drive.step("count")
    drive.step("count", from: wizard)
    #expect(drive.outcome == "performed")
    #expect(drive.sketch.contains("count:2"))
    #expect(drive.state.listeners.map(\.node) == [wizard])
    // The flow is in no tree, so it cannot push, present or run anything.
    drive.step("replace", from: wizard)
    #expect(drive.outcome == "no-stack")
    drive.run(.pop(count: 1, node: wizard))
    #expect(drive.outcome == "dismissed")
    drive.step("stop", from: wizard)
    #expect(drive.state.listeners == [] && drive.state[wizard] == nil)
    drive.step("count", from: wizard)
    #expect(drive.outcome == "dismissed")
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `with listen a popped flow still handles steps`() throws {
    for (step, outcome) in [("open", "dismissed"), ("listen", "performed")] {
      var drive = try Drive(Self.app)
      drive.step(step)
      let wizard = drive.id("wizard")
      drive.run(.pop(count: 1, node: nil))
      #expect(drive.last.changes.map(\.name) == ["pop"])
      drive.step("count", from: wizard)
      #expect(drive.outcome == outcome)
      #expect(drive.broken == [])
    }
  }

  @Test func `the number of removed flows with listen is bounded, and the oldest ends first`() throws {
    var drive = try Drive(Self.app)
    for _ in 0..<101 {
      drive.step("listen")
      drive.run(.pop(count: 1, node: nil))
    }
    #expect(drive.state.listeners.count == 100 && drive.state.nodes.count == 102)
    #expect(drive.broken == [])
  }

  @Test func `a modal flow can dismiss itself, and its further steps reach the flow above`() throws {
    for (step, sketch) in [("close", "closed:0,count:0"), ("done", "closed:1,count:0"), ("end", "closed:0,count:1")] {
      var drive = try Drive(Self.app)
      drive.step("modal")
      drive.step(step)
      #expect(drive.sketch == "main[home~{\(sketch)}]")
      #expect(drive.broken == [])
    }
  }

  @Test func `the left step of a modal is sent although its presenter is popped too`() throws {
    var drive = try Drive(
      """
      app: left
      language: 1
      compat: { covered: accept, emits: any }
      root: { flow: main }
      screens: { home: {}, page: {}, sheet: {}, top: {} }
      steps: { open: {}, over: {}, gone: { n: integer }, back: {} }
      flows:
        main:
          stack: { screen: home, content: { said: 0 } }
          handle:
            open: { push: page, removed: { step: gone, with: { n: 3 } } }
            over: [{ present: sheet, of: screen, removed: { step: gone, with: { n: 1 } } }]
            gone: { content: { said: $n }, of: home }
            back: pop
      """)
    drive.step("open")
    drive.step("over")
    drive.run(.pop(count: 1, node: drive.id("page")))
    #expect(drive.last.events.filter { $0.type == .willNavigate }.map(\.params) == [["n": 1], ["n": 3]])
    #expect(drive.sketch == "main[home~{said:3}]")
    #expect(drive.broken == [])
  }
}

/// The deadline of a held link.
@Suite struct `Deadline of a held link` {
  private static let app = """
    app: held
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { ready: { type: boolean, default: false } }
    screens: { home: {} }
    steps: { go: {} }
    flows: { main: { stack: home, handle: { go: { push: home } } } }
    links: [{ scheme: x, path: /go, requires: { fact: ready }, holdFor: 10s, send: go }]
    """

  @Test func `a held link is dropped at its deadline, without another action`() throws {
    var drive = try Drive(Self.app, creation: Creation(manualClock: true))
    drive.run(.open(url: "x://go"))
    #expect(drive.state.upcoming.map(\.due) == [drive.state.manualTime.map { $0 + 10_000 }])
    drive.advance(9_999)
    #expect(drive.state.pendingLinks.count == 1)
    drive.advance(1)
    #expect(drive.state.pendingLinks.isEmpty && drive.state.upcoming == [])
    #expect(drive.last.events.map(\.type) == [.linkDropped] && drive.last.events.map(\.reason) == ["expired"])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a held link is not dropped before its deadline`() throws {
    var drive = try Drive(Self.app)
    drive.run(.effect(id: Effect.end(of: LinkID(1)), .due(tick: 1)))
    #expect(drive.outcome == "effect-gone")
    drive.run(.open(url: "x://go"))
    drive.run(.effect(id: Effect.end(of: LinkID(1)), .due(tick: 1)))
    #expect(drive.outcome == "effect-gone")
    #expect(drive.state.pendingLinks.count == 1)
  }
}
