/// What every kind of container answers of its children. One file a kind.
protocol Container {
  /// The child in front.
  static func front(_ children: [NodeID], selected: Int?) -> NodeID?
  /// The children that are seen where the container is.
  static func visible(_ children: [NodeID], selected: Int?) -> [NodeID]
  /// The children that are part of the visible route.
  static func routes(_ children: [NodeID], selected: Int?) -> [NodeID]
  /// Where a push of the flow that the container is lands; nil: further out.
  static func stack(_ container: NodeID, _ children: [NodeID]) -> NodeID?
  /// Brings the child at an index to the front.
  static func reveal(_ index: Int, of container: NodeID, in run: inout Run)
  /// Notes what a client plays when the children are others than before. `state` is the later one, for nodes that are new.
  static func note(_ children: ChildrenChange, of state: State, by program: Program, in changes: inout Changes)
}

extension Container {
  static func front(_ children: [NodeID], selected: Int?) -> NodeID? { children.last }
  static func visible(_ children: [NodeID], selected: Int?) -> [NodeID] { front(children, selected: selected).map { [$0] } ?? [] }
  static func routes(_ children: [NodeID], selected: Int?) -> [NodeID] { visible(children, selected: selected) }
  static func stack(_ container: NodeID, _ children: [NodeID]) -> NodeID? { nil }
  static func reveal(_ index: Int, of container: NodeID, in run: inout Run) {}
}

/// The children of one container before and after.
struct ChildrenChange {
  let container: NodeID
  let before: [NodeID]
  let after: [NodeID]
  /// Which child is selected now.
  let selected: Int?
  /// How many at the beginning are the same.
  let common: Int

  init(from before: [NodeID], to after: [NodeID], of container: NodeRecord) {
    self.container = container.nodeID
    self.before = before
    self.after = after
    selected = container.selectedIndex
    common = Self.commonCount(before, after)
  }

  /// How many elements at the beginning of two lists are the same. A block at a time while they are: without a way out of it, a
  /// compiler makes few instructions of a block.
  private static func commonCount(_ one: [NodeID], _ other: [NodeID]) -> Int {
    let (count, block) = (min(one.count, other.count), 32)
    return one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in
        var common = 0
        while common + block <= count {
          var difference: WideInt = 0
          for index in common..<(common + block) { difference |= one[index].number ^ other[index].number }
          guard difference == 0 else { break }
          common += block
        }
        while common < count, one[common] == other[common] { common += 1 }
        return common
      }
    }
  }

  /// The same children in the same order.
  var isEmpty: Bool { common == before.count && common == after.count }

  /// All children anew.
  func whole(of state: State, by program: Program) -> Change {
    .set(in: container, children: after.map { program.tree(of: $0, in: state) })
  }

  /// The child at the end of what is common is another one.
  func replacement(of state: State, by program: Program) -> Change {
    .replace(at: before[common], node: program.tree(of: after[common], in: state))
  }
}

extension Node.Kind {
  /// The rules of its container; nil: a leaf.
  var container: ContainerRules? {
    switch self {
    case .stack: .stack
    case .tabs: .tabs
    case .oneOf: .oneOf
    case .split: .split
    case .screen, .alert: nil
    }
  }
}

extension Run {
  /// The flow's own node, which the definition promises to be of this kind.
  func container(_ kind: Node.Kind, of flow: NodeID, else code: Refusal.Code) throws(Refusal) -> NodeID {
    guard let record = state.nodes.record(flow), record.kind == kind else {
      throw Refusal(code, "the flow \(name(of: flow)) is not a \(kind.rawValue) container")
    }
    return flow
  }

  /// For messages; empty: it is gone.
  func name(of id: NodeID) -> String { state.nodes.record(id).map(state.nodes.name) ?? "" }

  /// Makes a node as the last child of a container.
  mutating func append(_ mold: Mold, to container: NodeID, owner: NodeID?, scope: Scope) throws(Refusal) {
    try hang(try make(mold, owner: owner, parent: container, scope: scope), in: container)
  }

  /// Adds a node that was made for a container as its last child.
  mutating func hang(_ node: NodeID, in container: NodeID) throws(Refusal) {
    do {
      try state.nodes.appendChild(node, to: container)
    } catch {
      throw Refusal(error, below: name(of: container))
    }
  }

  /// New children in the place of all there are; the first is selected in tabs.
  mutating func fill(_ container: NodeID, with molds: [Mold], owner: NodeID?, scope: Scope) throws(Refusal) {
    remove(state.nodes.children(of: container))
    state.nodes.update(container) { if $0.kind == .tabs { $0.selected = 0 } }
    for mold in molds { try append(mold, to: container, owner: owner, scope: scope) }
  }
}
