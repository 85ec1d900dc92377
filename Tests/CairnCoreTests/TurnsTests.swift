import CairnTesting
import Testing

@testable import CairnCore

@Suite struct `Queue of turns` {
  private func item(_ name: String) -> TurnQueue.Item {
    TurnQueue.Item(intent: Intent(number: 0, step: Step(name)), receiver: .flow(NodeID(1)))
  }

  private func drain(_ turns: inout TurnQueue) -> [String] {
    var names: [String] = []
    while let item = turns.take() { names.append(item.intent.step.step) }
    return names
  }

  @Test func `turns run first in, first out, also when further turns are appended`() {
    var turns = TurnQueue()
    turns.enqueue(item("a"))
    turns.enqueue(item("b"))
    let first = turns.take()
    #expect(first?.intent.step.step == "a")
    turns.enqueue(item("c"))
    #expect(drain(&turns) == ["b", "c"])
    turns.enqueue(item("d"))
    #expect(drain(&turns) == ["d"])
    #expect(drain(&turns) == [])
  }

  @Test
  func
    `resulting turns are ordered as parent, end, left, results, starts, rules, own flow, what the user has agreed to, and what the user sees`()
  {
    var turns = TurnQueue()
    turns.enqueue(item("waiting"))
    for kind in TurnQueue.FollowUp.allCases.reversed() {
      turns.follow(kind, item("\(kind) 1"))
      turns.follow(kind, item("\(kind) 2"))
    }
    turns.finish()
    let kinds = ["toParent", "ended", "left", "answer", "start", "rule", "toCurrent", "proceed", "sight"]
    #expect(drain(&turns) == ["waiting"] + kinds.flatMap { ["\($0) 1", "\($0) 2"] })
  }

  @Test func `a rejected turn leaves no changes`() {
    var turns = TurnQueue()
    let isBegun = turns.begin(broadcast: Intent(number: 0, step: Step("all")))
    #expect(isBegun)
    turns.follow(.start, item("start"))
    turns.note(written: "fact")
    turns.revealed = NodeID(3)
    turns.clear()
    turns.finish()
    #expect(drain(&turns).isEmpty && turns.written.isEmpty && turns.revealed == nil && turns.broadcast == nil)
  }

  @Test func `a thousand turns are allowed, and no more`() {
    var turns = TurnQueue()
    let allowed = (0...TurnQueue.limit).map { _ in turns.begin(broadcast: nil) }
    #expect(allowed.firstIndex(of: false) == TurnQueue.limit && TurnQueue.limit == 1_000)
  }
}

@Suite struct `Difference of two states` {
  private static let app = """
    app: difference
    language: 1
    compat: { emits: any }
    root: { flow: main }
    screens: { home: {}, page: { params: { id: optional integer } } }
    steps: { edit: {} }
    flows: { main: { tabs: [ { flow: a }, { flow: b } ], handle: { edit: [ { content: { n: 1 } }, { content: { n: 1 }, of: home } ] } }, a: { stack: home }, b: { stack: page } }
    """

  @Test func `changes are in the order in which a client applies them, in whatever order they were found`() {
    var changes = Changes()
    let node = NodeID(1)
    changes.add(.update(node, UpdatedMembers(params: false, content: false, ended: true)), .update)
    changes.add(.present(on: node, node: NodeID(2)), .present)
    changes.add(.pop(in: node, to: NodeID(3)), .take)
    changes.add(.push(in: node, node: NodeID(4)), .bring)
    changes.add(.dismiss(NodeID(5)), .dismiss)
    changes.add(.select(in: node, index: 1), .select)
    changes.add(.pop(in: NodeID(6), to: NodeID(7)), .take)
    let (state, program) = (State(root: node), Program(Definition(app: "a", root: Contribution(.screen("b")))))
    let inOrder = changes.inOrder.map { $0.change(in: state, by: program) }
    #expect(inOrder.map(\.name) == ["dismiss", "select", "pop", "pop", "push", "present", "update"])
    #expect(inOrder[2] == .pop(in: node, to: NodeID(3)))
  }

  @Test func `a state has no difference from itself or from its replay`() throws {
    let drive = try Drive(Self.app)
    #expect(drive.reducer.changes(from: drive.state, to: drive.state) == [])
    #expect(drive.reducer.changes(from: drive.state, to: try drive.replayed()) == [])
  }

  @Test(arguments: [3, 40]) func `kept nodes that changed are reported in the order of the old tree`(count: Int) throws {
    var drive = try Drive(Self.app)
    for number in 0..<count { drive.run(.push(.init("page", params: ["id": .integer(number)]))) }
    let old = drive.state
    var new = old
    // The contents are changed from the newest node to the oldest, so that their order differs from that of the tree.
    let stack = try #require(old.nodes[drive.id("a")]).children
    new[drive.id("a")]?.children = []
    for (place, id) in stack.reversed().enumerated() { new.nodes.setContent(Content(status: .loaded, value: .integer(place)), of: id) }
    new[drive.id("a")]?.children = stack
    let changes = drive.reducer.changes(from: old, to: new)
    #expect(changes.compactMap { if case .update(let node, _) = $0 { node } else { nil } } == stack)
    var tree = drive.reducer.tree(of: old)
    let isPlayed = tree.play(changes)
    #expect(isPlayed && tree == drive.reducer.tree(of: new))
  }
}
