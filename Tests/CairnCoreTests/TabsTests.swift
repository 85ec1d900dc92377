import CairnCore
import CairnTesting
import Testing

private let tabs = """
  app: tabs
  language: 1
  compat: { emits: any }
  root: { flow: top, start: begin }
  screens: { home: { emits: [move, open] }, list: {}, product: { params: { id: integer } }, sheet: {} }
  steps: { begin: {}, move: { id: integer }, open: {} }
  flows:
    top:
      tabs: []
      handle:
        begin: { set: [ { flow: first }, { flow: second } ] }
        move: [ { reveal: home }, { push: product, with: { id: $id } } ]
    first: { stack: home, handle: { open: { present: { flow: third } } } }
    second: { stack: list }
    third: { stack: sheet }
  links:
    - { scheme: [x], path: "/p/{id}", send: move }
  """

@Suite struct `Tabs and reveal` {
  @Test func `select changes only the index`() throws {
    var drive = try Drive(tabs)
    #expect(drive.sketch == "top<*first[home], second[list]>")
    drive.run(.select(.tab(1), node: nil))
    #expect(drive.sketch == "top<first[home], *second[list]>")
    #expect(drive.last.changes == [.select(in: NodeID(1), index: 1)])
    drive.run(.select(.flow("first"), node: nil))
    #expect(drive.sketch == "top<*first[home], second[list]>")
    drive.run(.select(.tab(0), node: nil))
    #expect(drive.outcome == "unchanged (already-selected)")
    drive.run(.select(.tab(2), node: nil))
    #expect(drive.outcome == "invalid")
    drive.run(.select(.flow("frist"), node: nil))
    #expect(drive.refusal?.faults == [.init(pointer: "/flow", detail: "is unknown; did you mean first?")])
    drive.run(.select(.flow("third"), node: nil))
    #expect(drive.outcome == "no-tabs")
    #expect(drive.broken == [])
  }

  @Test func `reveal selects the tab of the screen, and then the push goes there`() throws {
    var drive = try Drive(tabs)
    drive.run(.push(.init("list")))
    drive.run(.select(.tab(1), node: nil))
    drive.run(.open(url: "x://p/3"))
    #expect(drive.sketch == "top<*first[home, product(id: 3)], second[list]>")
    #expect(drive.routes == ["home", "product"])
    #expect(drive.broken == [])
  }

  @Test func `reveal dismisses the modals in its way`() throws {
    var drive = try Drive(tabs)
    drive.step("open")
    #expect(drive.sketch == "top<*first[home] ^ third[sheet], second[list]>")
    #expect(drive.routes == ["home", "sheet"])
    drive.run(.open(url: "x://p/4"))
    #expect(drive.sketch == "top<*first[home, product(id: 4)], second[list]>")
    #expect(drive.broken == [])
  }

  @Test func `an unselected tab is covered`() throws {
    var drive = try Drive(tabs)
    let home = drive.id("home")
    drive.run(.select(.tab(1), node: nil))
    drive.step("move", ["id": 1], from: home)
    #expect(drive.outcome == "hidden")
  }

  @Test func `the params of a link are read by the types of the step`() throws {
    var drive = try Drive(tabs)
    drive.run(.open(url: "x://p/abc"))
    #expect(drive.refusal?.faults == [.init(pointer: "/url", detail: "id must be of type integer, not string")])
    for text in ["+5", "007", "-0", "5.0"] {
      drive.run(.open(url: "x://p/\(text)"))
      #expect(drive.outcome == "invalid", "\(text)")
    }
    drive.run(.open(url: "x://q/1"))
    #expect(drive.outcome == "unknown-link")
  }
}
