import CairnTesting
import Testing

@testable import CairnCore

/// What each kind of container answers of three children, of which the second is selected where that means anything.
@Suite struct `A kind of container` {
  struct Answers: Sendable {
    let kind: Node.Kind
    let front: Int?
    let visible: [Int]
    let routes: [Int]
    /// 0: the container itself.
    let stack: Int?
  }

  private static let children = [11, 12, 13].map { NodeID($0) }
  private static let rows = [
    Answers(kind: .stack, front: 13, visible: [13], routes: [11, 12, 13], stack: 0),
    Answers(kind: .tabs, front: 12, visible: [12], routes: [12], stack: nil),
    Answers(kind: .oneOf, front: 13, visible: [13], routes: [13], stack: nil),
    Answers(kind: .split, front: 13, visible: [11, 12, 13], routes: [11, 12, 13], stack: 11),
  ]

  @Test(arguments: rows) func `says what is in front, what is seen, what is on the route and where a push lands`(row: Answers) throws {
    let container = try #require(row.kind.container)
    let children = Self.children
    #expect(container.front(children, selected: 1)?.number == row.front)
    #expect(container.visible(children, selected: 1).map(\.number) == row.visible)
    #expect(container.routes(children, selected: 1).map(\.number) == row.routes)
    #expect(container.stack(NodeID(0), children)?.number == row.stack)
  }

  @Test(arguments: rows) func `has nothing in front when it has no children`(row: Answers) throws {
    let container = try #require(row.kind.container)
    #expect(container.front([], selected: 0) == nil)
    #expect(container.visible([], selected: 0) == [])
    #expect(container.routes([], selected: 0) == [])
  }

  @Test func `tabs show nothing where the number is of no tab`() {
    for selected in [nil, -1, 3] { #expect(TabsContainer.front(Self.children, selected: selected) == nil) }
  }

  @Test func `leaves are none`() {
    for kind in [Node.Kind.screen, .alert] { #expect(kind.container == nil) }
  }

  @Test(arguments: FlowDefinition.Container.allCases) func `has rules, a record that keeps it and brackets of its own`(
    container: FlowDefinition.Container
  ) throws {
    let kind = container.kind
    #expect((kind.container == nil) == (container == .screen))
    #expect(NodeRecord(id: NodeID(1), kind: kind, name: 0, owner: nil, parent: nil).kind == kind)
    let others = FlowDefinition.Container.allCases.filter { $0 != container }.map(\.kind)
    func sketch(_ kind: Node.Kind) -> String {
      var tree = Tree(id: NodeID(1), kind: kind, name: "x")
      tree.children = [Tree(id: NodeID(2), kind: .screen, name: "a"), Tree(id: NodeID(3), kind: .screen, name: "b")]
      return tree.sketch
    }
    #expect(!others.map(sketch).contains(sketch(kind)))
  }

  // MARK: changes

  struct Case: Sendable {
    let kind: Node.Kind
    let before: [Int]
    let after: [Int]
    /// As `push 3`, `pop 1`, `replace 2 3`, `remove 2`, `set`.
    let changes: [String]
  }

  private static let cases = [
    Case(kind: .stack, before: [1], after: [1, 2, 3], changes: ["push 2", "push 3"]),
    Case(kind: .stack, before: [], after: [1, 2], changes: ["push 1", "push 2"]),
    Case(kind: .stack, before: [1, 2, 3], after: [1], changes: ["pop 1"]),
    Case(kind: .stack, before: [1, 2], after: [1, 3], changes: ["replace 2 3"]),
    Case(kind: .stack, before: [1], after: [2], changes: ["replace 1 2"]),
    Case(kind: .stack, before: [1, 2, 3], after: [1, 4], changes: ["pop 1", "push 4"]),
    Case(kind: .stack, before: [1, 2], after: [1, 3, 4], changes: ["pop 1", "push 3", "push 4"]),
    Case(kind: .stack, before: [1, 2, 3, 4], after: [1, 3], changes: ["remove 2", "remove 4"]),
    Case(kind: .stack, before: [1, 2, 3], after: [3, 1], changes: ["set 3 1"]),
    Case(kind: .stack, before: [1, 2], after: [3, 4], changes: ["set 3 4"]),
    Case(kind: .stack, before: [1, 2, 3], after: [1, 4, 3], changes: ["set 1 4 3"]),
    Case(kind: .tabs, before: [1, 2], after: [3, 4], changes: ["set 3 4"]),
    Case(kind: .tabs, before: [1, 2], after: [1, 4], changes: ["set 1 4"]),
    Case(kind: .oneOf, before: [1], after: [2], changes: ["replace 1 2"]),
    Case(kind: .oneOf, before: [], after: [2], changes: ["set 2"]),
    Case(kind: .split, before: [1, 2], after: [1, 3], changes: ["replace 2 3"]),
    Case(kind: .split, before: [1, 2], after: [3, 4], changes: ["set 3 4"]),
  ]

  @Test(arguments: cases) func `says how its children changed`(row: Case) throws {
    let definition = Definition(app: "changes", root: Contribution(.screen("page")), screens: ["page": ScreenDefinition()])
    let program = Program(definition)
    var state = State()
    state.nodes.adopt(program.names)
    state[NodeID(100)] = Node(id: NodeID(100), kind: row.kind, name: "page", owner: nil, parent: nil)
    for number in row.after {
      state[NodeID(number)] = Node(id: NodeID(number), kind: .screen, name: "page", owner: nil, parent: NodeID(100))
    }
    let record = try #require(state.nodes.record(NodeID(100)))
    let children = ChildrenChange(from: row.before.map { NodeID($0) }, to: row.after.map { NodeID($0) }, of: record)
    var changes = Changes()
    try #require(row.kind.container).note(children, of: state, by: program, in: &changes)
    #expect(changes.inOrder.map(Self.text) == row.changes)
  }

  private static func text(_ change: Change) -> String {
    switch change {
    case .push(_, let node): "push \(node.id.number)"
    case .pop(_, let node): "pop \(node.number)"
    case .set(_, _, let children): (["set"] + children.map { "\($0.id.number)" }).joined(separator: " ")
    case .replace(let gone, let node): "replace \(gone.number) \(node.id.number)"
    case .remove(let node): "remove \(node.number)"
    case .present, .dismiss, .select, .update: "\(change)"
    }
  }

  @Test(arguments: [0, 1, 31, 32, 33, 64, 100]) func `finds what two long lists of children have in common`(common: Int) throws {
    let record = NodeRecord(id: NodeID(1), kind: .stack, name: 0, owner: nil, parent: nil)
    let before = (1...100).map { NodeID($0) }
    let after = before.prefix(common) + (200...220).map { NodeID($0) }
    let children = ChildrenChange(from: before, to: Array(after), of: record)
    #expect(children.common == common && !children.isEmpty)
    #expect(ChildrenChange(from: before, to: before, of: record).isEmpty)
    #expect(ChildrenChange(from: before, to: Array(before.prefix(common)), of: record).common == common)
  }
}
