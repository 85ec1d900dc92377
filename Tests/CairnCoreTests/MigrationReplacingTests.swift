import CairnCore
import CairnTesting
import Testing

/// An app with containers of every kind, and with modals.
private let app = """
  app: places
  language: 1
  compat: { emits: any }
  root: { flow: main, start: begin }
  facts: { isNarrow: { type: boolean, default: false, by: client } }
  screens: { home: {}, a: { params: { n: integer } }, b: {}, new: { params: { n: optional integer } } }
  steps: { begin: {}, goA: { n: integer }, goB: {}, modal: {}, screenModal: {}, raise: {}, tab: { n: integer }, open: {}, say: {}, lost: {} }
  flows:
    main:
      tabs: [{ flow: one }, a1, b]
      handle:
        begin: []
        goA: { push: a, with: { n: $n } }
        tab: { select: $n }
    one:
      stack: home
      handle:
        goA: { push: a, with: { n: $n }, content: { x: 1 } }
        goB: { push: b }
        modal: { present: a, with: { n: 5 }, style: fullScreen }
        screenModal: { present: a, with: { n: 6 }, of: screen, style: alert }
        raise: { present: a, with: { n: 7 }, level: 2 }
        open: { push: { flow: pair, else: lost } }
        lost: { push: b }
    pair:
      collapse: { fact: isNarrow }
      gives: {}
      split: { master: [{ screen: a, with: { n: 8 } }], detail: { screen: a, with: { n: 9 } } }
    fresh: { stack: { screen: new, with: { n: 1 }, timer: { after: 1s, send: say } }, handle: { say: { push: b } } }
    first: { stack: new, handle: { begin: { push: b }, say: { push: new } } }
  """
  .replacing("a1", with: "{ screen: a, with: { n: 1 } }")

@Suite struct `Migration of replaced nodes` {
  private func drive(_ steps: String...) throws -> MigrationDrive {
    var drive = try MigrationDrive(app)
    for step in steps { drive.step(step) }
    return drive
  }

  private func moved(
    _ drive: MigrationDrive, _ screens: [String: Migration.NodeFate] = [:], flows: [String: Migration.NodeFate] = [:]
  ) throws -> MigrationDrive {
    var drive = drive
    try drive.migrate(to: app, Migration(screens: screens, flows: flows))
    #expect(drive.broken == [])
    return drive
  }

  private let new = Migration.NodeFate.replace(.screen("new"), with: ["n": .reference(.param("n"))])

  @Test func `a replaced screen keeps its place on the stack, and gets a new id`() throws {
    var drive = try drive()
    drive.step("goA", ["n": 4])
    let old = drive.id("a")
    let top = try moved(drive, ["a": new])
    #expect(top.sketch == "main<*one[home, new(n: 4)], new(n: 1), b>")
    #expect(top.state.nodes[old] == nil && top.id("new").number >= drive.state.nextNode)
    #expect(top.node("new")?.content == nil && top.steps == [])
    drive.step("goB")
    drive.step("goA", ["n": 5])
    #expect(try moved(drive, ["a": new]).sketch == "main<*one[home, new(n: 4), b, new(n: 5)], new(n: 1), b>")
  }

  @Test func `a replaced tab keeps its position, and the selection`() throws {
    var drive = try drive()
    drive.step("tab", ["n": 1])
    #expect(drive.sketch == "main<one[home], *a(n: 1), b>")
    #expect(try moved(drive, ["a": new]).sketch == "main<one[home], *new(n: 1), b>")
    drive.run(.select(.tab(2), node: nil))
    #expect(try moved(drive, ["a": new]).sketch == "main<one[home], new(n: 1), *b>")
    #expect(try moved(drive, flows: ["one": .replace(.flow("fresh"), with: [:])]).sketch == "main<fresh[new(n: 1)], a(n: 1), *b>")
  }

  @Test(arguments: [
    ([0], "main<*one[home], b>", 1), ([1], "main<*one[home], b>", 1), ([2], "main<one[home], *b>", 1),
  ])
  func `the selection stays with its tab, or goes to the one before a removed tab`(select: [Int], sketch: String, count: Int) throws {
    var drive = try drive()
    for index in select { drive.run(.select(.tab(index), node: nil)) }
    #expect(try moved(drive, ["a": .remove]).sketch == sketch)
  }

  @Test(arguments: [
    (0, "main<*one[home]>"), (1, "main<*one[home]>"), (2, "main<*one[home]>"),
  ])
  func `several tabs are removed at once`(selected: Int, sketch: String) throws {
    var drive = try drive()
    drive.run(.select(.tab(selected), node: nil))
    #expect(try moved(drive, ["a": .remove, "b": .remove]).sketch == sketch)
    #expect(try moved(drive, ["a": .remove], flows: ["one": .remove]).sketch == "main<*b>")
    let all = try moved(drive, ["a": .remove, "b": .remove], flows: ["one": .remove])
    #expect(all.reason == "one (n2) cannot be removed, because its tabs main would be empty")
  }

  @Test func `a replaced modal keeps its style, its screen and its level`() throws {
    let modal = try moved(try drive("modal"), ["a": new])
    #expect(modal.sketch == "main<*one[home] ^ new(n: 5), new(n: 1), b>")
    #expect(modal.node("new")?.style == .fullScreen && modal.node("new")?.on == nil)
    let alert = try moved(try drive("screenModal"), ["a": new])
    #expect(alert.sketch == "main<*one[home ^ new(n: 6)], new(n: 1), b>")
    #expect(alert.node("new")?.kind == .alert && alert.node("new")?.style == .alert && alert.node("new")?.on == alert.id("home"))
    let raised = try moved(try drive("raise"), ["a": new])
    #expect(raised.sketch == "main<*one[home], new(n: 1), b> ^2 new(n: 7)" && raised.node("new")?.level == 2)
    let over = try moved(try drive("modal"), flows: ["one": .replace(.flow("fresh"), with: [:])])
    #expect(over.sketch == "main<*fresh[new(n: 1)], a(n: 1), b>")
  }

  @Test func `both panes of a split are replaced, also if it is collapsed`() throws {
    var drive = try drive("open")
    #expect(drive.sketch == "main<*one[home, pair{master[a(n: 8)] | a(n: 9)}], a(n: 1), b>")
    #expect(try moved(drive, ["a": new]).sketch == "main<*one[home, pair{master[new(n: 8)] | new(n: 9)}], new(n: 1), b>")
    drive.run(.facts(["isNarrow": true]))
    #expect(drive.sketch == "main<*one[home, pair[a(n: 8)]], a(n: 1), b>")
    #expect(try moved(drive, ["a": new]).sketch == "main<*one[home, pair[new(n: 8)]], new(n: 1), b>")
  }

  @Test func `a new flow sends its own steps and starts its own effects, and the old one sends none`() throws {
    var drive = try drive("open")
    drive.step("modal")
    drive = try moved(drive, flows: ["pair": .replace(.flow("fresh"), with: [:])])
    #expect(drive.sketch == "main<*one[home, fresh[new(n: 1)]] ^ a(n: 5), a(n: 1), b>")
    #expect(drive.steps == [] && drive.last.started.count == 1)
    drive.run(.dismiss(node: nil))
    drive.advance(1_000)
    #expect(drive.sketch == "main<*one[home, fresh[new(n: 1), b]], a(n: 1), b>" && drive.broken == [])
  }

  @Test func `the new root begins like a new session, with its start steps`() throws {
    let drive = try drive("raise")
    var moved = drive
    try moved.migrate(
      to: app.replacing("flow: main, start", with: "flow: first, start"),
      Migration(flows: ["main": .replace(.flow("first"), with: [:])]))
    #expect(moved.sketch == "first[new, b]" && moved.steps == ["first begin"])
    #expect(moved.last.changes == [.replace(at: drive.state.root, node: moved.tree)] && moved.state.root != drive.state.root)
    moved.step("say")
    #expect(moved.sketch == "first[new, b, new]" && moved.broken == [])
    let screen = try self.moved(drive, flows: ["main": .replace(.screen("b"), with: [:])])
    #expect(screen.reason == "the root main can only be replaced by a flow")
  }

  @Test func `a new node whose params do not fit is an obstacle`() throws {
    let drive = try moved(try drive(), ["b": .replace(.screen("a"), with: ["n": .literal("x")])])
    #expect(drive.reason == "the param n of the screen a must be of type integer, not string")
    #expect(drive.sketch == "main<*one[home], a(n: 1), b>")
  }
}
