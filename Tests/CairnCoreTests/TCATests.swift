import CairnCore
import CairnTesting
import Testing

/// An app for the promises of TCA's tests about stacks, presentation and both together: elements with loads and timers, on a stack and presented.
private let elements = """
  app: elements
  language: 1
  compat: { covered: accept, emits: any }
  root: { flow: main }
  screens: { home: {}, element: {}, slow: {}, ticking: {}, sheet: {}, inner: {}, alert: {} }
  steps:
    load: {}
    loadSlowly: {}
    reload: {}
    tick:
    watch: {}
    watchInSheet: {}
    alertInstead: {}
    stop: {}
    ask: {}
    delete: {}
    count: {}
    open: {}
    closed: { last: optional integer }
    reopen: {}
    reopened:
    three: {}
    twice: {}
    again:
    removeElement: {}
    rest: {}
    restIsOver:
  flows:
    main:
      stack: home
      handle:
        load: { push: element, load: { value: { n: 1 }, delay: 1s } }
        loadSlowly: { push: slow, load: { value: { n: 2 }, delay: 2s } }
        reload: { load: { value: { n: 3 }, delay: 1s, restart: true } }
        watch: { push: ticking, content: { count: 0 }, timer: { every: 1s, send: tick } }
        watchInSheet: { present: sheet, content: { count: 0 }, timer: { every: 1s, send: tick } }
        alertInstead: { present: alert, style: alert, replace: true }
        tick: { content: { count: { add: 1 } } }
        stop: { cancel: all }
        ask: { present: alert, style: alert }
        delete: { popTo: home }
        count: { content: { count: { add: 1 } } }
        open: { present: sheet, content: { count: 5 }, removed: { step: closed, with: { last: $content.count } } }
        closed: { content: { last: $last }, of: home }
        reopen: { present: sheet, removed: reopened }
        reopened: { present: inner }
        three: [ { push: element }, { push: slow }, { push: ticking } ]
        twice: [ { push: element }, { send: again } ]
        again: { push: element }
        removeElement: { remove: element }
        rest: { timer: { after: 1s, send: restIsOver }, of: flow }
        restIsOver: { push: slow }
  """

@Suite struct `Stacks in the tests of TCA` {
  private func drive() throws -> Drive { try Drive(elements, creation: Creation(manualClock: true)) }

  @Test func `one action appends three elements with one change each, a push of the parent appends one`() throws {
    var drive = try drive()
    let revision = drive.state.revision
    drive.step("three")
    #expect(drive.sketch == "main[home, element, slow, ticking]")
    #expect(drive.state.revision == revision + 1)
    #expect(drive.state.nodes[NodeID(1)]?.children == [2, 3, 4, 5].map { NodeID($0) })
    #expect(drive.broken == [])
  }

  @Test func `an action that sends appending steps takes the next ids`() throws {
    var drive = try drive()
    drive.step("twice")
    drive.step("twice")
    #expect(drive.state.nodes[NodeID(1)]?.children == [2, 3, 4, 5, 6].map { NodeID($0) })
  }

  @Test func `pop to an id keeps the node, and pop to the top node changes nothing`() throws {
    var drive = try drive()
    drive.step("three")
    drive.run(.popTo(.node(NodeID(4))))
    #expect(drive.sketch == "main[home, element, slow]")
    drive.run(.popTo(.node(NodeID(4))))
    #expect(drive.outcome == "unchanged (already-there)")
  }

  @Test func `an element removed from the middle loses its load, and the other keeps its own`() throws {
    var drive = try drive()
    drive.step("load")
    drive.step("load")
    drive.run(.remove(node: NodeID(3)))
    #expect(drive.last.cancelled == [1])
    drive.advance(1_000)
    #expect(drive.sketch == "main[home, element~{n:1}]")
    drive.step("loadSlowly")
    drive.step("load")
    drive.advance(1_000)
    #expect(drive.sketch == "main[home, element~{n:1}, slow~loading, element~{n:1}]")
    drive.advance(1_000)
    #expect(drive.sketch == "main[home, element~{n:1}, slow~{n:2}, element~{n:1}]")
    #expect(drive.broken == [])
  }

  @Test func `a handler removes one element, and those above stay`() throws {
    var drive = try drive()
    drive.step("load")
    drive.step("loadSlowly")
    drive.step("removeElement")
    #expect(drive.sketch == "main[home, slow~loading]")
    #expect(drive.last.cancelled == [1])
  }

  @Test func `popFrom in the middle ends the effects of all elements above`() throws {
    var drive = try drive()
    drive.step("watch")
    drive.step("load")
    drive.step("loadSlowly")
    drive.run(.pop(count: 1, node: drive.id("element")))
    #expect(drive.sketch == "main[home, ticking~{count:0}]")
    #expect(drive.last.cancelled == [2, 3])
    drive.run(.popToRoot)
    #expect(drive.state.effects == [])
    drive.advance(3_000)
    #expect(drive.last.events == [])
    #expect(drive.broken == [])
  }

  @Test func `a child cancels its own effects, not those of a sibling or the parent`() throws {
    var drive = try drive()
    drive.step("rest")
    drive.step("watch")
    drive.step("watch")
    let first = NodeID(3)
    drive.step("stop", from: first)
    #expect(drive.last.cancelled == [2])
    #expect(drive.state.effects.map(\.owner) == [NodeID(1), NodeID(4)])
  }

  @Test func `a parent cancels the effects below it`() throws {
    var drive = try drive()
    drive.step("watch")
    drive.step("watch")
    drive.step("stop", from: drive.state.root)
    #expect(drive.state.effects == [])
    #expect(drive.sketch == "main[home, ticking~{count:0}, ticking~{count:0}]")
  }

  @Test func `a step of a destroyed element changes no other element`() throws {
    var drive = try drive()
    drive.step("watch")
    let gone = drive.id("ticking")
    drive.run(.pop(count: 1, node: nil))
    drive.step("watch")
    let before = drive.state
    drive.step("count", from: gone)
    #expect(drive.outcome == "unchanged (dismissed)")
    #expect(drive.state == before)
  }

  @Test func `the alert is dismissed, and then its element is removed`() throws {
    var drive = try drive()
    drive.step("load")
    drive.step("ask")
    drive.step("delete")
    #expect(drive.sketch == "main[home]")
    #expect(drive.last.changes.map(\.name) == ["dismiss", "pop"])
    #expect(drive.broken == [])
  }
}

@Suite struct `Presentation in the tests of TCA` {
  private func drive() throws -> Drive { try Drive(elements, creation: Creation(manualClock: true)) }

  @Test func `a timer ends with its sheet, dismissed by the parent or by the child`() throws {
    var drive = try drive()
    drive.step("watchInSheet")
    drive.advance(2_000)
    #expect(drive.sketch == "main[home] ^ sheet~{count:2}")
    drive.run(.dismiss(node: nil))
    #expect(drive.last.cancelled == [1])
    drive.advance(5_000)
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }

  @Test func `an alert that replaces the sheet ends its timer`() throws {
    var drive = try drive()
    drive.step("watchInSheet")
    drive.step("alertInstead")
    #expect(drive.sketch == "main[home] ^ alert")
    #expect(drive.state.effects == [])
    #expect(drive.last.changes.map(\.name) == ["dismiss", "present"])
  }

  @Test func `the parent can read the child before it is dismissed`() throws {
    var drive = try drive()
    drive.step("open")
    drive.step("count")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home~{last:6}]")
  }

  @Test func `a parent that answers a dismissal by presenting another child keeps that child`() throws {
    var drive = try drive()
    drive.step("reopen")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home] ^ inner")
    drive.run(.dismiss(node: nil))
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }

  @Test func `a second dismissal changes nothing, nor does one at the root`() throws {
    var drive = try drive()
    drive.step("open")
    let sheet = drive.id("sheet")
    drive.run(.dismiss(node: nil))
    drive.run(.dismiss(node: nil))
    #expect(drive.outcome == "unchanged (nothing-presented)")
    drive.run(.dismiss(node: sheet))
    #expect(drive.outcome == "dismissed")
  }

  @Test func `a restarted request completes once, later, and the effects of the parent stay`() throws {
    var drive = try drive()
    drive.step("rest")
    drive.step("reload")
    drive.advance(500)
    drive.step("reload")
    drive.advance(500)
    #expect(drive.sketch == "main[home~loading, slow]")
    drive.advance(500)
    #expect(drive.sketch == "main[home~{n:3}, slow]")
  }
}
