import CairnTesting
import Testing

@testable import CairnCore

/// The rules of each kind of container with three children. The second child is selected if the kind has a selection.
@Suite struct `Kinds of containers` {
  struct Answers: Sendable {
    let kind: Node.Kind
    let front: Int?
    let visible: [Int]
    let routes: [Int]
    /// The id of the stack that a push extends, where 1 is the container itself; `nil` if there is no such stack.
    let stack: Int?
  }

  /// A container whose children have the ids from 11 on. The first child is a pane if the kind has panes.
  private static func state(_ kind: Node.Kind, children: Int, selected: Int?) -> (state: State, container: NodeRecord) {
    var state = State(root: NodeID(1))
    var node = Node(id: NodeID(1), kind: kind, name: "x", flow: "x", owner: nil, parent: nil)
    node.selected = selected
    state[node.id] = node
    for number in 11..<(11 + children) {
      state[NodeID(number)] = Node(id: NodeID(number), kind: .stack, name: "y", owner: node.id, parent: node.id)
      state.nodes.link(NodeID(number), to: node.id)
    }
    return (state, state.nodes.record(node.id) ?? NodeRecord(id: NodeID(0), kind: kind, name: 0, owner: nil, parent: nil))
  }

  private static func visible(_ container: NodeRecord, in state: State) -> [Int] {
    var visible: [NodeID] = []
    state.appendVisibleChildren(of: container, to: &visible)
    return visible.map(\.number)
  }

  private static let rows = [
    Answers(kind: .stack, front: 13, visible: [13], routes: [11, 12, 13], stack: 1),
    Answers(kind: .tabs, front: 12, visible: [12], routes: [12], stack: nil),
    Answers(kind: .oneOf, front: 13, visible: [13], routes: [13], stack: nil),
    Answers(kind: .split, front: 13, visible: [11, 12, 13], routes: [11, 12, 13], stack: 11),
  ]

  @Test(arguments: rows) func `a kind determines the front, the visible children, the route and the target of a push`(row: Answers) throws {
    let rules = try #require(row.kind.rules)
    let (state, container) = Self.state(row.kind, children: 3, selected: 1)
    #expect(state.front(of: container)?.number == row.front)
    #expect(Self.visible(container, in: state) == row.visible)
    #expect(rules.isRouteOfAllChildren == (row.routes.count == 3))
    #expect(rules.stack(of: container, in: state.nodes)?.nodeID.number == row.stack)
  }

  @Test(arguments: rows) func `a container without children has no front`(row: Answers) {
    let (state, container) = Self.state(row.kind, children: 0, selected: 0)
    #expect(state.front(of: container) == nil)
    #expect(Self.visible(container, in: state) == [])
  }

  @Test func `tabs with an invalid selection have no visible child`() {
    for selected in [nil, -1, 3] {
      let (state, container) = Self.state(.tabs, children: 3, selected: selected)
      #expect(state.front(of: container) == nil)
    }
  }

  @Test func `leaves are not containers`() {
    for kind in [Node.Kind.screen, .alert] { #expect(kind.rules == nil) }
  }

  @Test(arguments: Node.Kind.ofFlows) func `each kind has its own rules, stored form and brackets`(kind: Node.Kind) throws {
    #expect((kind.rules == nil) == (kind == .screen))
    #expect(NodeRecord(id: NodeID(1), kind: kind, name: 0, owner: nil, parent: nil).kind == kind)
    let others = Node.Kind.ofFlows.filter { $0 != kind }
    func sketch(_ kind: Node.Kind) -> String {
      var tree = Tree(id: NodeID(1), kind: kind, name: "x")
      tree.children = [Tree(id: NodeID(2), kind: .screen, name: "a"), Tree(id: NodeID(3), kind: .screen, name: "b")]
      return tree.sketch
    }
    #expect(!others.map(sketch).contains(sketch(kind)))
  }

  // MARK: Changes

  struct Case: Sendable {
    let kind: Node.Kind
    let before: [Int]
    let after: [Int]
    /// The expected changes, such as `push 3`, `pop 1`, `replace 2 3`, `remove 2` and `set`.
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

  @Test(arguments: cases) func `a kind derives the changes of its children`(row: Case) throws {
    let definition = Definition(app: "changes", root: Contribution(.screen("page")), screens: ["page": ScreenDefinition()])
    let program = Program(definition)
    var state = State()
    state.nodes.adopt(program.names)
    state[NodeID(100)] = Node(id: NodeID(100), kind: row.kind, name: "page", owner: nil, parent: nil)
    for number in row.after {
      state[NodeID(number)] = Node(id: NodeID(number), kind: .screen, name: "page", owner: nil, parent: NodeID(100))
      state.nodes.link(NodeID(number), to: NodeID(100))
    }
    let record = try #require(state.nodes.record(NodeID(100)))
    let children = ChildrenChange(from: row.before.map { NodeID($0) }, to: row.after.map { NodeID($0) }, of: record)
    var changes = Changes()
    try #require(row.kind.rules).note(children, in: &changes)
    #expect(changes.inOrder.map { Self.text($0.change(in: state, by: program)) } == row.changes)
  }

  private static func text(_ change: Change) -> String {
    switch change {
    case .push(_, let node): "push \(node.id.number)"
    case .pop(_, let node): "pop \(node.number)"
    case .set(_, _, let children): (["set"] + children.map { "\($0.id.number)" }).joined(separator: " ")
    case .replace(let gone, let node): "replace \(gone.number) \(node.id.number)"
    case .remove(let node): "remove \(node.number)"
    case .present, .dismiss, .overlay, .select, .update: "\(change)"
    }
  }

  @Test(arguments: [0, 1, 31, 32, 33, 64, 100]) func `the common children of two long lists are found`(common: Int) throws {
    let record = NodeRecord(id: NodeID(1), kind: .stack, name: 0, owner: nil, parent: nil)
    let before = (1...100).map { NodeID($0) }
    let after = before.prefix(common) + (200...220).map { NodeID($0) }
    let children = ChildrenChange(from: before, to: Array(after), of: record)
    #expect(children.common == common && !(children.gone.isEmpty && children.come.isEmpty))
    #expect(ChildrenChange(from: before, to: before, of: record).common == 100)
    #expect(ChildrenChange(from: before, to: Array(before.prefix(common)), of: record).common == common)
  }
}
