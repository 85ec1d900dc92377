import CairnCore
import CairnTesting
import Testing

/// A list with details, sheets and alerts that are created and destroyed in the ways of TCA's tests.
private let list = """
  app: list
  language: 1
  compat: { emits: any }
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
    tick:
    nest: {}
    fetch: {}
    fetchOther: {}
    want: { isWanted: boolean }
    wantedIsKnown:
    meetingIsOver: { text: string }
    noted: { text: string }
  rules: [ { when: { fact: wanted }, send: wantedIsKnown } ]
  links: [ { scheme: x, path: "/record", send: [ shift, { step: work } ] } ]
  flows:
    main:
      stack: items
      handle:
        begin: []
        open: { present: sheet, timer: { every: 1s, send: tick } }
        nest: { present: inner, of: screen, timer: { every: 1s, send: tick } }
        tick: { content: { count: 1 } }
        close: dismiss
        ask: { present: alert, style: alert, of: screen }
        delete: [ { write: { deleted: true } }, { popTo: items } ]
        shift: { push: detail }
        work: { push: record, timer: { every: 1s, send: tick } }
        fetch: { present: sheet, load: { value: 1, delay: 1s }, replace: true }
        fetchOther: { present: inner, load: { value: 2, delay: 1s }, replace: true }
        want: { write: { wanted: $isWanted } }
        wantedIsKnown: { present: sheet }
        meetingIsOver: [ pop, { send: noted, with: { text: $text } } ]
        noted: { content: { transcript: $text }, of: detail }
  """

/// TCA has no covering rule, so covered screens send steps and can be closed.
private let accepting = list.replacing("compat: {", with: "compat: { covered: accept,")

@Suite struct `Children in the tests of TCA` {
  private func drive(_ definition: String = list) throws -> Drive { try Drive(definition, creation: Creation(manualClock: true)) }

  @Test func `a parent that removes its child sends no step, and the effects of the child end`() throws {
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

  @Test func `an alert without effects is removed`() throws {
    var drive = try drive()
    drive.step("ask")
    #expect(drive.sketch == "main[items ^ alert]")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[items]")
    #expect(drive.last.changes.map(\.name) == ["dismiss"])
  }

  @Test func `a modal of the initial state closes like any other`() throws {
    var drive = try drive(list.replacing("begin: []", with: "begin: { present: sheet }"))
    #expect(drive.sketch == "main[items] ^ sheet")
    drive.step("close")
    #expect(drive.sketch == "main[items]")
    #expect(drive.broken == [])
  }

  @Test func `a modal that a rule presents closes each time`() throws {
    var drive = try drive()
    for _ in 0..<2 {
      drive.step("want", ["isWanted": true])
      #expect(drive.sketch == "main[items] ^ sheet")
      drive.run(.dismiss(node: nil))
      #expect(drive.sketch == "main[items]")
    }
    #expect(drive.broken == [])
  }

  @Test func `the button of an alert runs its step, and the alert is removed in the same action`() throws {
    var drive = try drive()
    drive.step("shift")
    drive.step("ask")
    drive.step("delete")
    #expect(drive.state.facts["deleted"] == true)
    #expect(drive.sketch == "main[items]")
    #expect(drive.steps == ["main delete"])
  }

  @Test func `a step of a node that is not visible is rejected, and the alert stays`() throws {
    var drive = try drive()
    drive.step("shift")
    let detail = drive.id("detail")
    drive.step("ask")
    drive.step("work", from: detail)
    #expect(drive.outcome == "hidden")
    #expect(drive.sketch == "main[items, detail ^ alert]")
  }

  @Test func `a nested child loses its timer when its parent is removed`() throws {
    var drive = try drive(accepting)
    drive.step("open")
    drive.step("nest")
    #expect(drive.sketch == "main[items] ^ sheet ^ inner")
    drive.run(.dismiss(node: drive.id("sheet")))
    #expect(drive.sketch == "main[items]")
    #expect(drive.state.effects == [])
    #expect(drive.broken == [])
  }

  @Test func `of two successive children only the second gets its response`() throws {
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

  @Test func `an alert over a detail is removed together with the detail`() throws {
    var drive = try drive()
    drive.step("shift")
    drive.step("ask")
    drive.step("delete")
    #expect(drive.sketch == "main[items]")
    #expect(drive.last.changes == [.pop(in: NodeID(1), to: NodeID(2))], "the alert goes with what presents it")
    #expect(drive.state.facts["deleted"] == true)
    #expect(drive.broken == [])
  }

  @Test func `a link pushes two screens, and the end of the upper one informs the lower one`() throws {
    var drive = try drive()
    drive.run(.open(url: "x://record"))
    #expect(drive.sketch == "main[items, detail, record]")
    drive.step("meetingIsOver", ["text": "hello"])
    #expect(drive.sketch == "main[items, detail~{transcript:hello}]")
    #expect(drive.state.effects == [])
    #expect(drive.broken == [])
  }
}

/// A login with a second factor, and then a game. A switch shows one of the two.
private let games = """
  app: games
  language: 1
  compat: { emits: any }
  root: { flow: app }
  facts: { needsCode: { type: boolean, default: false } }
  screens: { form: {}, code: {}, board: {} }
  steps: { filled: {}, codeGiven: {}, entered: {}, left: {}, watch: {}, tick: }
  flows:
    app:
      switch: [login, game]
      handle: { entered: { set: game }, left: { set: login } }
    login:
      stack: form
      handle:
        filled: [ { when: { fact: needsCode }, do: { push: code } }, { do: { send: entered } } ]
        codeGiven: { load: { value: right, delay: 1s, then: entered } }
        watch: { timer: { every: 1s, send: tick } }
        tick: []
    game: { stack: board }
  """

@Suite struct `Switches in the tests of TCA` {
  private func drive(needsCode: Bool) throws -> Drive {
    try Drive(games, creation: Creation(facts: ["needsCode": .bool(needsCode)], manualClock: true))
  }

  @Test func `showing the other child ends the timers of the first`() throws {
    var drive = try drive(needsCode: false)
    drive.step("watch")
    #expect(drive.state.effects.count == 1)
    drive.step("entered")
    #expect(drive.sketch == "app{game[board]}")
    #expect(drive.last.cancelled == [1])
    #expect(drive.broken == [])
  }

  @Test func `after the game the login is a new node`() throws {
    var drive = try drive(needsCode: false)
    let first = drive.id("login")
    drive.step("filled")
    #expect(drive.sketch == "app{game[board]}")
    drive.step("left")
    #expect(drive.sketch == "app{login[form]}")
    #expect(drive.id("login") > first)
    #expect(drive.broken == [])
  }

  @Test func `with a second factor the login pushes a page, and then the game is shown`() throws {
    var drive = try drive(needsCode: true)
    drive.step("filled")
    #expect(drive.sketch == "app{login[form, code]}")
    drive.step("codeGiven")
    drive.advance(1_000)
    #expect(drive.sketch == "app{game[board]}")
    #expect(drive.broken == [])
  }

  @Test func `going back during the check of the code cancels the check`() throws {
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
