import CairnCore
import CairnTesting
import Testing

/// A wizard under a lock, empty flows, and tabs under a modal.
private let guarded = """
  app: guarded
  language: 1
  compat: { emits: any, words: [end] }
  root: { flow: main }
  screens:
    home: { emits: [lock, hollow, sheet, hollowSheet] }
    page: { emits: [next] }
    locked: { emits: [unlock] }
    first: { emits: [lock] }
    second: {}
  steps: { lock: {}, unlock: {}, next: {}, wizard: {}, hollow: {}, sheet: {}, hollowSheet: {}, tabs: {} }
  flows:
    main:
      stack: { flow: bar }
      handle:
        lock: { present: { flow: lockFlow } }
        unlock: dismiss
        wizard: { push: { flow: steps } }
        hollow: { push: { flow: empty } }
        hollowSheet: { present: { flow: empty } }
        sheet: { present: page, of: screen }
    bar: { tabs: [home, first] }
    steps: { stack: page, handle: { next: { push: page } } }
    lockFlow: { stack: locked, handle: { unlock: { end: unlock } } }
    empty: { stack: [] }
  links: [ { scheme: x, path: "/wizard", send: wizard }, { scheme: x, path: "/lock", send: lock } ]
  """

private let accepting = guarded.replacing("compat: {", with: "compat: { covered: accept,")

@Suite struct `Visible nodes and covered nodes` {
  @Test func `a step with the id of a flow is rejected if the visible screens of the flow are covered`() throws {
    var drive = try Drive(guarded)
    drive.run(.open(url: "x://wizard"))
    let wizard = drive.id("steps")
    drive.step("next", from: wizard)
    #expect(drive.sketch == "main[bar<*home, first>, steps[page, page]]")
    drive.run(.open(url: "x://lock"))
    drive.step("next", from: wizard)
    #expect(drive.outcome == "hidden")
    drive.step("wizard", from: drive.state.root)
    #expect(drive.outcome == "hidden")
    #expect(drive.broken == [])
  }

  @Test func `a step with the id of a flow must be in the contract of its visible screens`() throws {
    var drive = try Drive(guarded)
    drive.step("wizard", from: drive.state.root)
    #expect(drive.outcome == "not-in-contract")
    drive.step("lock", from: drive.id("bar"))
    #expect(drive.sketch == "main[bar<*home, first>] ^ lockFlow[locked]")
    drive.step("next", from: drive.id("lockFlow"))
    #expect(drive.outcome == "not-in-contract")
    drive.step("unlock", from: drive.id("lockFlow"))
    #expect(drive.sketch == "main[bar<*home, first>]")
  }

  @Test func `a modal covers the tabs inside the node that presents it`() throws {
    var drive = try Drive(guarded)
    drive.run(.open(url: "x://lock"))
    #expect(drive.sketch == "main[bar<*home, first>] ^ lockFlow[locked]")
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.outcome == "hidden")
    drive = try Drive(accepting)
    drive.run(.open(url: "x://lock"))
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.outcome == "no-tabs")
  }

  @Test func `covered nodes accept no gestures`() throws {
    var drive = try Drive(guarded)
    drive.run(.open(url: "x://wizard"))
    drive.step("next")
    let page = drive.id("page")
    drive.run(.open(url: "x://lock"))
    let before = drive.sketch
    let gestures: [Action] = [
      .pop(count: 1, node: page), .popTo(.node(drive.id("steps"))), .select(.tab(1), node: drive.id("home")),
    ]
    for gesture in gestures {
      drive.run(gesture)
      #expect(drive.outcome == "hidden")
    }
    #expect(drive.sketch == before)
    drive.run(.dismiss(node: nil))
    drive.run(.pop(count: 1, node: page))
    #expect(drive.sketch == "main[bar<*home, first>, steps[page]]")
  }

  @Test func `covered tabs cannot be selected, and are not in accepts`() throws {
    var drive = try Drive(guarded)
    #expect(drive.reducer.accepts(drive.state).primitives.contains("select"))
    drive.step("sheet")
    #expect(!drive.reducer.accepts(drive.state).primitives.contains("select"))
    for selection in [Action.Selection.tab(1), .flow("bar")] {
      drive.run(.select(selection, node: nil))
      #expect(drive.outcome == "hidden")
    }
  }

  @Test func `with covered accept, gestures reach covered nodes`() throws {
    var drive = try Drive(accepting)
    drive.step("sheet")
    #expect(drive.reducer.accepts(drive.state).primitives.contains("select"))
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.sketch == "main[bar<home ^ page, *first>]")
    drive.step("lock", from: drive.id("home"))
    #expect(drive.outcome == "performed")
  }

  @Test(arguments: ["hollow", "hollowSheet"])
  func `an empty flow in front shows no screen, and covers everything below`(step: String) throws {
    var drive = try Drive(guarded)
    let home = drive.id("home")
    drive.step(step)
    #expect(drive.reducer.visible(in: drive.state) == nil)
    #expect(drive.routes == ["home"])
    drive.step("sheet", from: home)
    #expect(drive.outcome == "hidden")
    // No screen sends the step, so the root flow receives it, as `accepts` lists it.
    #expect(drive.reducer.accepts(drive.state).steps.map(\.step).contains("wizard"))
    drive.step("wizard")
    #expect(drive.outcome == "performed")
    #expect(drive.broken == [])
  }

  @Test func `a split with an empty detail shows its master, which may send steps`() throws {
    var drive = try Drive(
      """
      app: panes
      language: 1
      compat: { emits: any }
      root: { flow: halves }
      screens: { list: { emits: [pick] }, page: {} }
      steps: { pick: {}, away: {} }
      flows:
        halves: { split: { master: [list], detail: { flow: empty } }, handle: { pick: { detail: page }, away: [] } }
        empty: { stack: [] }
      """)
    #expect(drive.reducer.visible(in: drive.state)?.screen == "list")
    #expect(drive.reducer.accepts(drive.state).steps.map(\.step) == ["pick"])
    drive.step("away")
    #expect(drive.outcome == "not-in-contract")
    drive.step("pick")
    #expect(drive.sketch == "halves{master[list] | page}")
    #expect(drive.reducer.visible(in: drive.state)?.screen == "page")
  }

  @Test func `a step comes from the pane whose flow handles it`() throws {
    var drive = try Drive(
      """
      app: panes
      language: 1
      compat: { emits: any }
      root: { flow: halves }
      screens: { list: { emits: [pick] }, page: {} }
      steps: { pick: {}, other: {} }
      flows:
        halves: { split: { master: [{ flow: left }], detail: { flow: right } } }
        left: { stack: list, handle: { pick: { push: list } } }
        right: { stack: page, handle: { other: [] } }
      """)
    #expect(drive.reducer.accepts(drive.state).steps.map(\.step) == ["other", "pick"])
    drive.step("pick")
    #expect(drive.sketch == "halves{master[left[list, list]] | right[page]}")
  }

  @Test func `a link to an ended flow that is still in the tree goes to the root`() throws {
    var drive = try Drive(
      """
      app: stays
      language: 1
      compat: { emits: any, words: [end] }
      root: { flow: main }
      screens: { home: {}, over: {}, item: { params: { id: integer } } }
      steps: { go: {}, finish: {}, finished: {}, item: { id: integer } }
      flows:
        main:
          stack: home
          handle: { go: { push: { flow: sub } }, finished: [], item: [popToRoot, { push: item, with: { id: $id } }] }
        sub: { stack: over, handle: { finish: { end: finished } } }
      links: [ { scheme: x, path: "/items/{id}", send: item } ]
      """)
    drive.step("go")
    drive.step("finish")
    #expect(drive.sketch == "main[home, sub[over]]")
    drive.run(.open(url: "x://items/7"))
    #expect(drive.sketch == "main[home, item(id: 7)]")
    #expect(drive.broken == [])
  }

  @Test func `a flow and a screen with the same name are distinct`() throws {
    var drive = try Drive(
      """
      app: twins
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, twin: {} }
      steps: { screen: {}, flow: {}, to: {}, out: {}, back: {}, count: {}, shown: {}, area: {} }
      flows:
        main:
          stack: home
          handle:
            screen: { push: twin }
            flow: { push: { flow: twin } }
            to: { reveal: twin }
            back: { popTo: twin }
            out: { remove: twin }
            count: { content: { n: 1 }, of: twin }
        twin: { stack: home }
      """)
    drive.step("screen")
    drive.step("flow")
    #expect(drive.sketch == "main[home, twin, twin[home]]")
    drive.step("count")
    #expect(drive.sketch == "main[home, twin~{n:1}, twin[home]]")
    drive.step("to")
    #expect(drive.sketch == "main[home, twin~{n:1}]")
    drive.step("flow")
    drive.step("back")
    #expect(drive.sketch == "main[home, twin~{n:1}]")
    drive.step("flow")
    drive.step("out")
    #expect(drive.sketch == "main[home, twin[home]]")
    for step in ["to", "back", "out", "count"] {
      drive.step(step)
      #expect(drive.outcome == "screen-not-found")
    }
    drive.run(.popTo(.screen("twin")))
    #expect(drive.outcome == "screen-not-found")
  }
}
