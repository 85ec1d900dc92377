import CairnCore
import CairnTesting
import Testing

/// A stack of screens that the tests push directly, as TCA's tests of stacks do.
private let open = """
  app: open
  language: 1
  root: { flow: main }
  screens: { home: {}, a: {}, b: {}, c: {}, number: { params: { value: integer } }, sheet: {} }
  flows: { main: { stack: home } }
  """

@Suite struct `Operations on stacks` {
  @Test func `push puts a new node on top`() throws {
    var drive = try Drive(open)
    drive.run(.push(.init("a")))
    #expect(drive.sketch == "main[home, a]")
    #expect(drive.last.changes == [.push(in: NodeID(1), node: Tree(id: NodeID(3), kind: .screen, name: "a"))])
    #expect(drive.outcome == "performed")
    #expect(drive.state.revision == 2)
    #expect(drive.broken == [])
  }

  @Test func `an id beyond the range of node ids is unknown, whatever its low digits are`() throws {
    var drive = try Drive(open)
    drive.run(.push(.init("a")))
    for id in [4_294_967_297, 4_294_967_299, .max] {
      drive.run(.pop(count: 1, node: NodeID(id)))
      #expect(drive.outcome == "invalid")
    }
    #expect(drive.sketch == "main[home, a]")
    #expect(drive.broken == [])
  }

  @Test func `pop from a node removes it and all nodes above`() throws {
    var drive = try Drive(open)
    for screen in ["a", "b", "c"] { drive.run(.push(.init(screen))) }
    drive.run(.pop(count: 1, node: drive.id("b")))
    #expect(drive.sketch == "main[home, a]")
    #expect(drive.last.changes == [.pop(in: NodeID(1), to: drive.id("a"))])
    #expect(drive.broken == [])
  }

  @Test func `pop to the root keeps the first`() throws {
    var drive = try Drive(open)
    for screen in ["a", "b", "c"] { drive.run(.push(.init(screen))) }
    drive.run(.popToRoot)
    #expect(drive.sketch == "main[home]")
    drive.run(.popToRoot)
    #expect(drive.outcome == "unchanged (at-root)")
    #expect(drive.broken == [])
  }

  @Test func `a pop on a stack of one changes nothing`() throws {
    var drive = try Drive(open)
    drive.run(.pop(count: 1, node: nil))
    #expect(drive.outcome == "unchanged (at-root)")
    #expect(drive.state.revision == 1)
    #expect(drive.last.changes == [])
  }

  @Test func `a count larger than the stack pops to the root`() throws {
    var drive = try Drive(open)
    for screen in ["a", "b"] { drive.run(.push(.init(screen))) }
    drive.run(.pop(count: 99, node: nil))
    #expect(drive.sketch == "main[home]")
  }

  @Test func `an id that was never used is unknown, and a destroyed node is reported as dismissed`() throws {
    var drive = try Drive(open)
    drive.run(.pop(count: 1, node: NodeID(99)))
    #expect(drive.outcome == "invalid")
    #expect(drive.refusal?.faults.map(\.pointer) == ["/node"])
    drive.run(.push(.init("a")))
    let gone = drive.id("a")
    drive.run(.pop(count: 1, node: nil))
    drive.run(.pop(count: 1, node: gone))
    #expect(drive.outcome == "dismissed")
    #expect(drive.sketch == "main[home]")
    #expect(drive.broken == [])
  }

  @Test func `an id is never reused`() throws {
    var drive = try Drive(open)
    drive.run(.push(.init("a")))
    let first = drive.id("a")
    drive.run(.pop(count: 1, node: nil))
    drive.run(.push(.init("a")))
    #expect(drive.id("a") > first)
    let second = drive.id("a")
    drive.run(.set([.init("home"), .init("a")]))
    #expect(drive.id("a") > second)
    #expect(drive.broken == [])
  }

  @Test func `one set of three is a single change of the tree`() throws {
    var drive = try Drive(open)
    drive.run(.set([.init("a"), .init("b"), .init("c")]))
    #expect(drive.sketch == "main[a, b, c]")
    #expect(drive.last.changes.count == 1)
    #expect(drive.broken == [])
  }

  @Test func `remove takes out one node and leaves those above`() throws {
    var drive = try Drive(open)
    for screen in ["a", "b"] { drive.run(.push(.init(screen))) }
    let node = drive.id("a")
    drive.run(.remove(node: node))
    #expect(drive.sketch == "main[home, b]")
    #expect(drive.last.changes == [.remove(node: node)])
    #expect(drive.broken == [])
  }

  @Test func `popTo takes the instance nearest to the top`() throws {
    var drive = try Drive(open)
    for screen in ["a", "b", "a", "c"] { drive.run(.push(.init(screen))) }
    drive.run(.popTo(.screen("a")))
    #expect(drive.sketch == "main[home, a, b, a]")
    drive.run(.popTo(.screen("c")))
    #expect(drive.outcome == "screen-not-found")
    drive.run(.popTo(.screen("nowhere")))
    #expect(drive.outcome == "invalid")
  }

  @Test func `all params are checked before anything changes`() throws {
    var drive = try Drive(open)
    drive.run(.set([.init("number", params: ["value": "x", "other": 1]), .init("nowhere")]))
    #expect(drive.refusal?.faults.map(\.pointer) == ["/stack/0/params/value", "/stack/0/params/other"])
    #expect(drive.sketch == "main[home]")
  }

  @Test func `a popped node removes its sheet`() throws {
    var drive = try Drive(open.replacing("app: open", with: "app: open\ncompat: { covered: accept }"))
    drive.run(.push(.init("a")))
    drive.run(.present(.init("sheet"), style: .sheet, node: nil, replace: false))
    #expect(drive.sketch == "main[home, a ^ sheet]")
    #expect(drive.routes == ["home", "a", "sheet"])
    drive.run(.pop(count: 1, node: drive.id("a")))
    #expect(drive.sketch == "main[home]")
    #expect(drive.last.changes == [.pop(in: NodeID(1), to: NodeID(2))])
    #expect(drive.broken == [])
  }
}
