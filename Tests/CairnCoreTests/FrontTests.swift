import CairnCore
import CairnTesting
import Testing

/// A wizard that a lock covers; flows that are empty; tabs under a modal.
private let guarded = """
  app: guarded
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
      container: stack
      root: { flow: bar }
      handle:
        lock: { present: { flow: lockFlow } }
        unlock: dismiss
        wizard: { push: { flow: steps } }
        hollow: { push: { flow: empty } }
        hollowSheet: { present: { flow: empty } }
        sheet: { present: page, on: screen }
    bar: { container: tabs, tabs: [home, first] }
    steps: { container: stack, root: page, handle: { next: { push: page } } }
    lockFlow: { container: stack, root: locked, handle: { unlock: { end: unlock } } }
    empty: { container: stack }
  links: [ { scheme: x, path: "/wizard", step: wizard }, { scheme: x, path: "/lock", step: lock } ]
  """

private let accepting = guarded.replacing("app: guarded", with: "app: guarded\ncovered: accept")

@Suite struct `The front of a tree` {
  @Test func `a step from a flow's own id is held to the gate of what is seen in it`() throws {
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

  @Test func `a flow speaks for the screens that are seen in it, by their contract`() throws {
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

  @Test func `tabs below what presents a modal are covered by it too`() throws {
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

  @Test func `what a modal covers has no gestures`() throws {
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

  @Test func `tabs that a modal covers are not selected, and not offered`() throws {
    var drive = try Drive(guarded)
    #expect(drive.reducer.accepts(drive.state).primitives.contains("select"))
    drive.step("sheet")
    #expect(!drive.reducer.accepts(drive.state).primitives.contains("select"))
    for selection in [Action.Selection.tab(1), .flow("bar")] {
      drive.run(.select(selection, node: nil))
      #expect(drive.outcome == "hidden")
    }
  }

  @Test func `where covered nodes count, gestures reach them too`() throws {
    var drive = try Drive(accepting)
    drive.step("sheet")
    #expect(drive.reducer.accepts(drive.state).primitives.contains("select"))
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.sketch == "main[bar<home ^ page, *first>]")
    drive.step("lock", from: drive.id("home"))
    #expect(drive.outcome == "performed")
  }

  @Test(arguments: ["hollow", "hollowSheet"])
  func `an empty flow in front shows nothing, and nothing below it is visible or may speak`(step: String) throws {
    var drive = try Drive(guarded)
    let home = drive.id("home")
    drive.step(step)
    #expect(drive.reducer.visible(in: drive.state) == nil)
    #expect(drive.routes == ["home"])
    drive.step("sheet", from: home)
    #expect(drive.outcome == "hidden")
    // No screen sends it: the step goes to the root flow, as it is offered.
    #expect(drive.reducer.accepts(drive.state).steps.map(\.step).contains("wizard"))
    drive.step("wizard")
    #expect(drive.outcome == "performed")
    #expect(drive.broken == [])
  }

  @Test func `a split whose detail is empty shows its master, and hears it`() throws {
    var drive = try Drive(
      """
      app: panes
      root: { flow: halves }
      screens: { list: { emits: [pick] }, page: {} }
      steps: { pick: {}, away: {} }
      flows:
        halves: { container: split, split: { master: [list], detail: { flow: empty } }, handle: { pick: { detail: page }, away: none } }
        empty: { container: stack }
      """)
    #expect(drive.reducer.visible(in: drive.state)?.screen == "list")
    #expect(drive.reducer.accepts(drive.state).steps.map(\.step) == ["pick"])
    drive.step("away")
    #expect(drive.outcome == "not-in-contract")
    drive.step("pick")
    #expect(drive.sketch == "halves{master[list] | page}")
    #expect(drive.reducer.visible(in: drive.state)?.screen == "page")
  }

  @Test func `of two panes the one speaks whose flow hears the step`() throws {
    var drive = try Drive(
      """
      app: panes
      root: { flow: halves }
      screens: { list: { emits: [pick] }, page: {} }
      steps: { pick: {}, other: {} }
      flows:
        halves: { container: split, split: { master: [{ flow: left }], detail: { flow: right } } }
        left: { container: stack, root: list, handle: { pick: { push: list } } }
        right: { container: stack, root: page, handle: { other: none } }
      """)
    #expect(drive.reducer.accepts(drive.state).steps.map(\.step) == ["other", "pick"])
    drive.step("pick")
    #expect(drive.sketch == "halves{master[left[list, list]] | right[page]}")
  }

  @Test func `a link at a flow that has ended and stays goes to the root`() throws {
    var drive = try Drive(
      """
      app: stays
      root: { flow: main }
      screens: { home: {}, over: {}, item: { params: { id: integer } } }
      steps: { go: {}, finish: {}, finished: {}, item: { id: integer } }
      flows:
        main:
          container: stack
          root: home
          handle: { go: { push: { flow: sub } }, finished: none, item: [popToRoot, { push: item, with: { id: $id } }] }
        sub: { container: stack, root: over, handle: { finish: { end: finished } } }
      links: [ { scheme: x, path: "/items/{id}", step: item } ]
      """)
    drive.step("go")
    drive.step("finish")
    #expect(drive.sketch == "main[home, sub[over]]")
    drive.run(.open(url: "x://items/7"))
    #expect(drive.sketch == "main[home, item(id: 7)]")
    #expect(drive.broken == [])
  }

  @Test func `a flow and a screen of one name are kept apart`() throws {
    var drive = try Drive(
      """
      app: twins
      root: { flow: main }
      screens: { home: {}, twin: {} }
      steps: { screen: {}, flow: {}, to: {}, out: {}, back: {}, count: {}, shown: {}, area: {} }
      flows:
        main:
          container: stack
          root: home
          handle:
            screen: { push: twin }
            flow: { push: { flow: twin } }
            to: { reveal: twin }
            back: { popTo: twin }
            out: { remove: twin }
            count: { content: { n: 1 }, of: twin }
        twin: { container: stack, root: home }
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
