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
  /// What a client plays when the children are others than before: what takes away, then what brings.
  static func changes(_ children: ChildrenChange) -> (takes: [Change], brings: [Change])
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
  /// How many at the beginning are the same.
  let common: Int
  /// A node of the later state, whole.
  let tree: (NodeID) -> Tree

  init(of container: NodeID, from before: [NodeID], to after: [NodeID], tree: @escaping (NodeID) -> Tree) {
    self.container = container
    self.before = before
    self.after = after
    self.tree = tree
    let count = min(before.count, after.count)
    var common = 0
    before.withUnsafeBufferPointer { before in
      after.withUnsafeBufferPointer { after in
        while common < count, before[common] == after[common] { common += 1 }
      }
    }
    self.common = common
  }

  /// The same children in the same order.
  var isEmpty: Bool { common == before.count && common == after.count }

  /// All children anew.
  var whole: Change { .set(in: container, children: after.map(tree)) }

  /// The child at the end of what is common is another one.
  var replacement: Change { .replace(at: before[common], node: tree(after[common])) }
}

extension Node.Kind {
  /// The rules of its container; nil: a leaf.
  var container: (any Container.Type)? {
    switch self {
    case .stack: StackContainer.self
    case .tabs: TabsContainer.self
    case .oneOf: SwitchContainer.self
    case .split: SplitContainer.self
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
    let id = try make(mold, owner: owner, parent: container, scope: scope)
    state.nodes.appendChild(id, to: container)
  }

  /// New children in the place of all there are; the first is selected in tabs.
  mutating func fill(_ container: NodeID, with molds: [Mold], owner: NodeID?, scope: Scope) throws(Refusal) {
    remove(state.nodes.children(of: container))
    state.nodes.update(container) { if $0.kind == .tabs { $0.selected = 0 } }
    for mold in molds { try append(mold, to: container, owner: owner, scope: scope) }
  }
}
