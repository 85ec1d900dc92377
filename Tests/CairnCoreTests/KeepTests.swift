import CairnCore
import CairnTesting
import Testing

private let orders = """
  app: orders
  language: 1
  compat: { emits: any, words: [end] }
  root: { flow: main }
  screens: { home: {}, list: {}, order: { params: { id: integer } }, sheet: {}, leaf: { params: { id: integer, kind: optional string } } }
  steps: { go: { id: integer }, more: {}, open: {}, sheet: {}, wizard: {}, over: {}, leaf: { id: integer }, done: {} }
  flows:
    main:
      stack: home
      handle:
        go: { set: [home, { screen: list, content: { rows: 0 } }, { screen: order, with: { id: $id } }], keep: true }
        more: { content: { rows: { add: 1 } }, of: list }
        open: { push: list }
        sheet: { present: sheet, of: screen }
        wizard: { set: [home, { flow: wizard }], keep: true }
        over: []
        leaf: { set: [home, { flow: leaf, with: { id: $id } }], keep: true }
        done: { set: [list], keep: true }
    wizard: { stack: list, handle: { done: { end: over } } }
    leaf: { screen: leaf, with: { kind: small } }
  """

@Suite struct `Set with keep` {
  @Test func `equal nodes from the bottom keep their ids and content, and the others are new`() throws {
    var drive = try Drive(orders)
    drive.step("go", ["id": 1])
    #expect(drive.sketch == "main[home, list~{rows:0}, order(id: 1)]")
    let (list, order) = (drive.id("list"), drive.id("order"))
    drive.step("more")
    drive.step("go", ["id": 2])
    #expect(drive.sketch == "main[home, list~{rows:1}, order(id: 2)]")
    #expect(drive.id("list") == list)
    #expect(drive.id("order") != order)
    #expect(drive.last.changes.map(\.name) == ["replace"])
    #expect(drive.broken == [])
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a set with equal nodes changes nothing`() throws {
    var drive = try Drive(orders)
    drive.step("go", ["id": 1])
    drive.step("go", ["id": 1])
    #expect(drive.outcome == "unchanged (already-there)")
    #expect(drive.state.revision == 2)
  }

  @Test func `nodes above are popped, and missing nodes are pushed`() throws {
    var drive = try Drive(orders)
    drive.step("go", ["id": 1])
    let order = drive.id("order")
    drive.step("open")
    drive.step("go", ["id": 1])
    #expect(drive.sketch == "main[home, list~{rows:0}, order(id: 1)]")
    #expect(drive.id("order") == order)
    #expect(drive.last.changes.map(\.name) == ["pop"])
    drive.run(.popToRoot)
    drive.step("go", ["id": 1])
    #expect(drive.last.changes.map(\.name) == ["push", "push"])
    drive.step("done")
    #expect(drive.sketch == "main[list]")
    #expect(drive.last.changes.map(\.name) == ["set"])
    #expect(drive.broken == [])
  }

  @Test func `a kept node keeps its modal`() throws {
    var drive = try Drive(orders.replacing("compat: {", with: "compat: { covered: accept,"))
    drive.step("open")
    drive.step("sheet")
    drive.step("go", ["id": 4], from: drive.id("home"))
    #expect(drive.sketch == "main[home, list ^ sheet, order(id: 4)]")
    #expect(drive.broken == [])
  }

  @Test func `a flow is kept if its name and params are equal, unless it has ended`() throws {
    var drive = try Drive(orders)
    drive.step("wizard")
    drive.step("wizard", from: drive.id("wizard"))
    #expect(drive.outcome == "unchanged (already-there)")
    let wizard = drive.id("wizard")
    drive.step("done")
    drive.step("wizard", from: NodeID(1))
    #expect(drive.sketch == "main[home, wizard[list]]")
    #expect(drive.id("wizard") != wizard)
    drive.step("leaf", ["id": 1], from: NodeID(1))
    #expect(drive.sketch == "main[home, leaf(id: 1, kind: small)]")
    let leaf = drive.id("leaf")
    drive.step("leaf", ["id": 1])
    #expect(drive.outcome == "unchanged (already-there)")
    drive.step("leaf", ["id": 2])
    #expect(drive.id("leaf") != leaf)
    #expect(drive.broken == [])
  }

  @Test func `a flow that its own set removes leaves the later operations to the flow above`() throws {
    var drive = try Drive(
      """
      app: own
      language: 1
      compat: { emits: any }
      root: { flow: main }
      screens: { home: {}, a: {}, b: {} }
      steps: { go: {}, on: {} }
      flows:
        main: { stack: home, handle: { go: { push: { flow: leaf } } } }
        leaf: { screen: a, handle: { on: { set: [home, b], keep: true } } }
      """)
    drive.step("go")
    let home = drive.id("home")
    drive.step("on")
    #expect(drive.sketch == "main[home, b]")
    #expect(drive.id("home") == home)
    #expect(drive.broken == [])
  }
}
