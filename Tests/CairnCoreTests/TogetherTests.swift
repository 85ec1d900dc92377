import CairnCore
import CairnTesting
import Testing

/// A lock over an app with a guarded wizard, a picker, a split that collapses, and held links.
private let app = """
  app: together
  language: 1
  compat: { covered: refuse, emits: any, words: [show] }
  root: { flow: main }
  facts:
    isOpen: { type: boolean, default: true }
    isWide: { type: boolean, default: true, by: client }
    count: { type: integer, default: 0 }
  screens:
    home:
    list:
    page: { params: { id: optional integer } }
    lock: { emits: [unlocked] }
    sheet: { params: { id: optional integer } }
    alertPage:
  steps:
    begin: {}
    locked: {}
    unlocked: {}
    asked: {}
    picked: { id: optional integer }
    given: { id: optional integer }
    missed: {}
    approve: { id: optional integer }
    over: {}
    close: {}
    more: {}
    deep: {}
    counted: {}
    show: {}
    pair: {}
    fill: {}
    out: {}
    failed: {}
  allowHosts: [api.example]
  loadDefaults: { unauthorized: failed }
  linkDefaults: { scheme: to, requires: { fact: isOpen }, holdFor: 10s, else: counted, holdAtMost: 2 }
  links:
    - { path: "/page/{id}", send: picked }
  rules:
    - { when: { fact: appState, is: background }, send: locked }
  flows:
    main:
      stack: home
      handle:
        begin: { present: { flow: wizard, guard: asked } }
        locked: { present: lock, level: 9, style: fullScreen, guard: true, replace: true }
        unlocked: { dismiss: lock }
        picked: { push: page, with: { id: $id } }
        given: { push: page, with: { id: $id } }
        missed: { push: list }
        approve: { present: sheet, with: { id: $id }, level: 5, queue: true, timer: { after: 60s, send: over } }
        over: dismiss
        close: dismiss
        counted: { write: { count: 7 } }
        show: { reveal: home }
        pair: { push: { flow: halves } }
        more: { push: { flow: raiser } }
        fill: [{ load: { get: "https://api.example/a", bearer: accessToken } }, { push: list, load: { get: "https://api.example/b", bearer: accessToken } }]
        failed: { present: sheet, level: 8 }
        out: { write: { isOpen: false } }
    wizard:
      stack: list
      handle:
        more: { push: { flow: picker, then: given, else: missed } }
        deep: { present: { flow: picker, then: given, else: missed, timer: { after: 10s, send: over } }, level: 5, queue: true }
        pair:
          - present: { flow: picker, then: given, else: missed }
            level: 5
          - present: { flow: picker, then: given, else: missed, timer: { after: 10s, send: over } }
            level: 5
            queue: true
        asked: { present: alertPage, style: alert }
        given: { content: { chosen: 1 }, of: wizard }
        missed: { content: { missed: 1 }, of: wizard }
        over: dismiss
        fill: { load: { value: { a: 1 }, delay: 1s }, of: wizard }
    picker:
      stack: page
      gives: { id: optional integer }
      handle:
        close: { finish: { id: 1 } }
    raiser:
      stack: list
      handle:
        deep: { present: sheet, level: 5, guard: true }
        show: { present: { flow: window }, level: 6 }
        close: { dismiss: sheet }
    window:
      stack: page
      handle:
        deep: { present: sheet, level: 3, guard: true }
    halves:
      split: { master: [list], detail: page }
      collapse: { fact: isWide, is: false }
      handle:
        more: { detail: { flow: picker, then: given, else: missed } }
        given: { content: { chosen: 1 }, of: halves }
        missed: { content: { missed: 1 }, of: halves }
        deep: { present: sheet, of: screen }
        close: dismiss
  """

@Suite struct `Combined features` {
  private func drive(_ steps: String...) throws -> Drive {
    var drive = try Drive(app, creation: Creation(hasToken: true, manualClock: true))
    for step in steps { drive.step(step) }
    try #require(drive.refusal == nil)
    return drive
  }

  private func lock(_ drive: inout Drive) { drive.run(.appState(.background)) }

  private func finish(_ drive: Drive) throws {
    #expect(drive.broken == [])
    #expect(drive.falsePromises == [])
    #expect(try drive.replayed() == drive.state)
  }

  // Nodes that are destroyed with their flow.

  @Test func `a guard of a modal on a lower level is checked if a gesture would remove the modal`() throws {
    var drive = try drive("more", "show", "deep")
    #expect(drive.sketch == "main[home, raiser[list]] ^3 sheet ^6 window[page]")
    #expect(drive.reducer.accepts(drive.state).guarded == ["dismiss", "back"])
    drive.run(.dismiss(node: nil))
    #expect(drive.outcome == "guarded")
    drive.run(.back)
    #expect(drive.outcome == "guarded")
    try finish(drive)
  }

  // Gestures, links and results while the lock covers the app.

  @Test func `no gesture closes the lock, and the nodes below stay`() throws {
    var drive = try drive("begin")
    lock(&drive)
    #expect(drive.sketch == "main[home] ^ wizard[list] ^9 lock")
    for action in [Action.dismiss(node: nil), .back, .dismiss(node: drive.id("lock"))] {
      drive.run(action)
      #expect(drive.outcome == "guarded")
    }
    drive.run(.dismiss(node: drive.id("wizard")))
    #expect(drive.outcome == "hidden")
    #expect(drive.reducer.accepts(drive.state).guarded == ["dismiss", "back"])
    drive.step("unlocked")
    #expect(drive.sketch == "main[home] ^ wizard[list]")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home] ^ wizard[list] ^ alertPage")
    try finish(drive)
  }

  @Test func `a link and its reveal change nodes below the lock, and reports of the app state are accepted`() throws {
    var drive = try drive("pair")
    lock(&drive)
    drive.run(.open(url: "to://page/4"))
    #expect(drive.sketch == "main[home, halves{master[list] | page}, page(id: 4)] ^9 lock")
    drive.run(.appState(.foreground))
    drive.run(.appState(.inactive))
    #expect(drive.state.facts["appState"] == "inactive")
    #expect(drive.routes.last == "lock")
    try finish(drive)
  }

  @Test func `a result below the lock reaches the asking screen, although it is covered`() throws {
    var drive = try drive("begin", "deep")
    #expect(drive.sketch == "main[home] ^ wizard[list] ^5 picker[page]")
    lock(&drive)
    drive.advance(10_000)
    #expect(drive.sketch == "main[home] ^ wizard[list]~{missed:1} ^9 lock")
    try finish(drive)
  }

  @Test func `a rejected token is reported once under the lock, and its login is presented below it`() throws {
    var drive = try drive("fill")
    lock(&drive)
    let requests = drive.state.effects.filter(\.isRequest).map(\.id)
    try #require(requests.count == 2)
    for id in requests { drive.run(.effect(id: id, .failed("http-status: 401"))) }
    #expect(drive.sketch == "main[home~failed, list~failed] ^8 sheet ^9 lock")
    try finish(drive)
  }

  // Results.

  @Test func `a flow on a level, a waiting flow, and one in a collapsed split give results`() throws {
    var drive = try drive("begin", "pair")
    #expect(drive.state.waitingModals.map(\.name) == ["picker"])
    drive.step("close")
    #expect(drive.sketch == "main[home] ^ wizard[list]~{chosen:1} ^5 picker[page]")
    drive.advance(10_000)
    #expect(drive.sketch == "main[home] ^ wizard[list]~{chosen:1,missed:1}")
    try finish(drive)

    drive = try self.drive("pair")
    drive.run(.facts(["isWide": false]))
    #expect(drive.sketch == "main[home, halves[list]]")
    drive.step("more")
    #expect(drive.sketch == "main[home, halves[list, picker[page]]]")
    drive.step("close")
    #expect(drive.sketch == "main[home, halves[list]~{chosen:1}]")
    drive.run(.facts(["isWide": true]))
    #expect(drive.sketch == "main[home, halves{master[list] | page}~{chosen:1}]")
    try finish(drive)
  }

  @Test func `a flow that has given a result and stays has no guard, and gives no second result`() throws {
    var drive = try drive("pair", "more")
    #expect(drive.sketch == "main[home, halves{master[list] | picker[page]}]")
    drive.step("close")
    #expect(drive.sketch == "main[home, halves{master[list] | picker[page]}~{chosen:1}]")
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.sketch == "main[home]")
    #expect(drive.drops == [])
    try finish(drive)
  }

  // Splits.

  @Test func `a split collapses under a modal, which stays open`() throws {
    var drive = try drive("pair", "deep")
    #expect(drive.sketch == "main[home, halves{master[list] | page ^ sheet}]")
    drive.run(.facts(["isWide": false]))
    #expect(drive.sketch == "main[home, halves[list, page ^ sheet]]")
    lock(&drive)
    drive.run(.facts(["isWide": true]))
    #expect(drive.sketch == "main[home, halves{master[list] | page ^ sheet}] ^9 lock")
    try finish(drive)
  }

  @Test func `a detail that presents on a level, or waits for one, is kept when its split collapses`() throws {
    for step in ["up", "later"] {
      var drive = try Drive(
        """
        app: folded
        language: 1
        compat: { emits: any }
        root: { flow: main }
        facts: { isWide: { type: boolean, default: true, by: client } }
        screens: { home: {}, list: {}, note: {}, call: {} }
        steps: { up: {}, later: {} }
        flows:
          main: { split: { master: [list], detail: { flow: side } }, collapse: { fact: isWide, is: false } }
          side:
            stack: home
            handle:
              up: { present: note, level: 5 }
              later: [{ present: call, level: 5 }, { present: note, level: 5, queue: true }]
        """)
      drive.step(step)
      drive.run(.facts(["isWide": false]))
      #expect(drive.sketch == "main[list, side[home]] ^5 \(step == "up" ? "note" : "call")")
      #expect(drive.state.nodes.values.contains { $0.name == "note" })
      drive.run(.facts(["isWide": true]))
      #expect(drive.sketch == "main{master[list] | side[home]} ^5 \(step == "up" ? "note" : "call")")
      try finish(drive)
    }
  }

  // Held links.

  @Test func `held links are dropped over the limit, at their deadlines, and at logout`() throws {
    var drive = try drive("out")
    for id in 1...3 { drive.run(.open(url: "to://page/\(id)")) }
    #expect(drive.outcome == "pending")
    #expect(drive.state.facts["count"] == 7)
    #expect(drive.state.pendingLinks.map(\.url) == ["to://page/2", "to://page/3"])
    drive.advance(9_999)
    #expect(drive.state.pendingLinks.count == 2)
    drive.advance(1)
    #expect(drive.state.pendingLinks.isEmpty)
    #expect(drive.last.events.filter { $0.type == .linkDropped }.map(\.reason) == ["expired", "expired"])
    drive.run(.open(url: "to://page/4"))
    drive.run(.logout)
    #expect(drive.state.pendingLinks.isEmpty)
    #expect(drive.last.events.filter { $0.type == .linkDropped }.map(\.reason) == ["logout"])
    try finish(drive)
  }

  @Test func `a held link is followed below the lock, after waiting modals are presented`() throws {
    var drive = try drive("out")
    drive.run(.open(url: "to://page/1"))
    lock(&drive)
    drive.run(.facts(["isOpen": true]))
    #expect(drive.sketch == "main[home, page(id: 1)] ^9 lock")
    try finish(drive)
  }

  // Loads.

  @Test func `a load fills the content of a flow, and ends with the flow`() throws {
    var drive = try drive("begin", "fill")
    #expect(drive.sketch == "main[home] ^ wizard[list]~loading")
    drive.advance(1_000)
    #expect(drive.sketch == "main[home] ^ wizard[list]~{a:1}")
    drive.step("fill")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home] ^ wizard[list]~loading ^ alertPage")
    drive.step("close")
    #expect(drive.sketch == "main[home]")
    #expect(drive.state.effects.isEmpty)
    try finish(drive)
  }

  // Messages.

  @Test func `a condition compares the value of a notification with the param of a screen, visible or not`() throws {
    var drive = try Drive(
      """
      app: told
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, list: {}, order: { params: { id: integer } } }
      steps: { open: { id: integer }, cover: {} }
      notifications:
        values: { id: /order }
        suppress: [{ how: foreground, when: { screen: order, with: { id: $id } } }]
      flows:
        main:
          stack: home
          handle: { open: { push: order, with: { id: $id } }, cover: { push: list } }
      """)
    drive.step("open", ["id": 7])
    drive.step("cover")
    func arrive(_ order: Value) {
      drive.run(drive.reducer.definition.notifications.action(for: ["order": order], tap: false, appState: .foreground))
    }
    arrive("7")
    #expect(drive.last.events.map(\.type) == [.notificationSuppressed])
    arrive("8")
    #expect(drive.last.events.map(\.type) == [.notificationShown])
  }
}
