import CairnCore
import CairnTesting
import Testing

/// A list whose details, sheets and alerts come and go in every way that TCA's tests have: the rest of P* and I*.
private let list = """
  app: list
  root: { flow: main, start: begin }
  facts: { wanted: { type: boolean, default: false }, deleted: { type: boolean, default: false } }
  screens: { items: {}, detail: {}, record: {}, sheet: {}, inner: {}, alert: {} }
  steps:
    begin: {}
    open: {}
    close: {}
    ask: {}
    delete: {}
    shift: {}
    work: {}
    tick: { internal: true }
    nest: {}
    fetch: {}
    fetchOther: {}
    want: { isWanted: boolean }
    wantedIsKnown: { internal: true }
    meetingIsOver: { text: string }
    noted: { text: string, internal: true }
  rules: [ { when: { fact: wanted }, step: wantedIsKnown } ]
  links: [ { scheme: x, path: "/record", steps: [ shift, { step: work } ] } ]
  flows:
    main:
      container: stack
      root: items
      handle:
        begin: none
        open: { present: sheet, after: { every: 1s, step: tick } }
        nest: { present: inner, on: screen, after: { every: 1s, step: tick } }
        tick: { content: { count: 1 } }
        close: dismiss
        ask: { present: alert, style: alert, on: screen }
        delete: [ { write: { deleted: true } }, { popTo: items } ]
        shift: { push: detail }
        work: { push: record, after: { every: 1s, step: tick } }
        fetch: { present: sheet, load: { value: 1, delay: 1s }, replace: true }
        fetchOther: { present: inner, load: { value: 2, delay: 1s }, replace: true }
        want: { write: { wanted: $isWanted } }
        wantedIsKnown: { present: sheet }
        meetingIsOver: [ pop, { forward: { step: noted, with: { text: $text }, to: current } } ]
        noted: { content: { transcript: $text }, of: detail }
  """

/// TCA knows no gate: what is covered is heard, and closed.
private let accepting = list.replacing("app: list", with: "app: list\ncovered: accept")

@Suite struct `TCA's children` {
  private func drive(_ definition: String = list) throws -> Drive { try Drive(definition, creation: Creation(manualClock: true)) }

  @Test func `a parent that takes its child away sends no step of its own (P2), the child's effects end (P26, P31)`() throws {
    var drive = try drive()
    drive.step("open")
    #expect(drive.sketch == "main[items] ^ sheet")
    drive.step("close")
    #expect(drive.sketch == "main[items]")
    #expect(drive.steps == ["main close"])
    #expect(drive.last.cancelled == [1], "in the same action, not with the next one")
    drive.advance(5_000)
    #expect(drive.last.events == [])
    #expect(drive.broken == [])
  }

  @Test func `an alert has nothing that runs, and goes (P8)`() throws {
    var drive = try drive()
    drive.step("ask")
    #expect(drive.sketch == "main[items ^ alert]")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[items]")
    #expect(drive.last.changes.map(\.name) == ["dismiss"])
  }

  @Test func `what is presented from the beginning closes like all else (P10)`() throws {
    var drive = try drive(list.replacing("begin: none", with: "begin: { present: sheet }"))
    #expect(drive.sketch == "main[items] ^ sheet")
    drive.step("close")
    #expect(drive.sketch == "main[items]")
    #expect(drive.broken == [])
  }

  @Test func `what a rule presents closes each time that it comes (P11)`() throws {
    var drive = try drive()
    for _ in 0..<2 {
      drive.step("want", ["isWanted": true])
      #expect(drive.sketch == "main[items] ^ sheet")
      drive.run(.dismiss(node: nil))
      #expect(drive.sketch == "main[items]")
    }
    #expect(drive.broken == [])
  }

  @Test func `an alert's button does what it says, and the alert is gone in the same action (P15)`() throws {
    var drive = try drive()
    drive.step("shift")
    drive.step("ask")
    drive.step("delete")
    #expect(drive.state.facts["deleted"] == true)
    #expect(drive.sketch == "main[items]")
    #expect(drive.steps == ["main delete"])
  }

  @Test func `a step of what is not shown is refused, and the alert stays (P32, PR-13)`() throws {
    var drive = try drive()
    drive.step("shift")
    let detail = drive.id("detail")
    drive.step("ask")
    drive.step("work", from: detail)
    #expect(drive.outcome == "hidden")
    #expect(drive.sketch == "main[items, detail ^ alert]")
  }

  @Test func `a child's child loses its timer when the child goes (I3)`() throws {
    var drive = try drive(accepting)
    drive.step("open")
    drive.step("nest")
    #expect(drive.sketch == "main[items] ^ sheet ^ inner")
    drive.run(.dismiss(node: drive.id("sheet")))
    #expect(drive.sketch == "main[items]")
    #expect(drive.state.effects == [])
    #expect(drive.broken == [])
  }

  @Test func `of two that follow each other only the second gets its answer (I4)`() throws {
    var drive = try drive(accepting)
    drive.step("fetch")
    drive.advance(500)
    drive.step("fetchOther", from: drive.state.root)
    #expect(drive.last.cancelled == [1])
    drive.advance(500)
    #expect(drive.sketch == "main[items] ^ inner~loading")
    drive.advance(500)
    #expect(drive.sketch == "main[items] ^ inner~2")
  }

  @Test func `an alert over a detail is gone, its item deleted and the path empty (I10)`() throws {
    var drive = try drive()
    drive.step("shift")
    drive.step("ask")
    drive.step("delete")
    #expect(drive.sketch == "main[items]")
    #expect(drive.last.changes == [.pop(in: NodeID(1), to: NodeID(2))], "the alert goes with what presents it")
    #expect(drive.state.facts["deleted"] == true)
    #expect(drive.broken == [])
  }

  @Test func `a link leads two deep; what ends above tells the one below (I11)`() throws {
    var drive = try drive()
    drive.run(.open(url: "x://record"))
    #expect(drive.sketch == "main[items, detail, record]")
    drive.step("meetingIsOver", ["text": "hello"])
    #expect(drive.sketch == "main[items, detail~{transcript:hello}]")
    #expect(drive.state.effects == [])
    #expect(drive.broken == [])
  }
}

/// A log-in with a second factor before a game: which of the two is there is a switch.
private let games = """
  app: games
  root: { flow: app }
  facts: { needsCode: { type: boolean, default: false } }
  screens: { form: {}, code: {}, board: {} }
  steps: { filled: {}, codeGiven: {}, entered: {}, left: {}, watch: {}, tick: { internal: true } }
  flows:
    app:
      container: switch
      children: [login, game]
      root: { flow: login }
      handle: { entered: { show: { flow: game } }, left: { show: { flow: login } } }
    login:
      container: stack
      root: form
      handle:
        filled: [ { when: { fact: needsCode }, do: { push: code } }, { do: { forward: entered } } ]
        codeGiven: { load: { value: right, delay: 1s, then: entered } }
        watch: { after: { every: 1s, step: tick } }
        tick: none
    game: { container: stack, root: board }
  """

@Suite struct `TCA's cases of a switch` {
  private func drive(needsCode: Bool) throws -> Drive {
    try Drive(games, creation: Creation(facts: ["needsCode": .bool(needsCode)], manualClock: true))
  }

  @Test func `the other case ends the timers of this one (I6)`() throws {
    var drive = try drive(needsCode: false)
    drive.step("watch")
    #expect(drive.state.effects.count == 1)
    drive.step("entered")
    #expect(drive.sketch == "app{game[board]}")
    #expect(drive.last.cancelled == [1])
    #expect(drive.broken == [])
  }

  @Test func `in and out again: the log-in is a fresh one (I7)`() throws {
    var drive = try drive(needsCode: false)
    let first = drive.id("login")
    drive.step("filled")
    #expect(drive.sketch == "app{game[board]}")
    drive.step("left")
    #expect(drive.sketch == "app{login[form]}")
    #expect(drive.id("login") > first)
    #expect(drive.broken == [])
  }

  @Test func `with a second factor the log-in grows first, then the game comes (I8)`() throws {
    var drive = try drive(needsCode: true)
    drive.step("filled")
    #expect(drive.sketch == "app{login[form, code]}")
    drive.step("codeGiven")
    drive.advance(1_000)
    #expect(drive.sketch == "app{game[board]}")
    #expect(drive.broken == [])
  }

  @Test func `going back while the code is checked takes the check back (I9)`() throws {
    var drive = try drive(needsCode: true)
    drive.step("filled")
    drive.step("codeGiven")
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.sketch == "app{login[form]}")
    #expect(drive.last.cancelled == [1])
    drive.advance(2_000)
    #expect(drive.sketch == "app{login[form]}")
    #expect(drive.last.events == [])
  }
}
