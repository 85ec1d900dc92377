/// The rules of one kind of container: its front child, its visible nodes, the target of a push, the effect of gestures, the changes of its
/// children. One file per kind, and nothing outside of this folder names a kind. Rules that hold for most kinds are here.
///
/// Unchecked: no kind stores anything.
class ContainerRules: @unchecked Sendable {
  /// The index of the front child, from 0; `nil` if there are no children. `selected`: the one that the container's node names.
  func frontIndex(of count: Int, selected: Int?) -> Int? { count == 0 ? nil : count - 1 }

  /// All children are seen where the container is, and not only the one in front.
  var showsAllChildren: Bool { false }

  /// All children are part of the visible route.
  var isRouteOfAllChildren: Bool { showsAllChildren }

  /// Where a push of the flow that the container is lands; nil: further out.
  func stack(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? { nil }

  /// How many children stay when all that lies on one of them is popped; nil: nothing is popped here, or it is none of the children.
  func countThrough(_ child: NodeRecord, of container: NodeRecord, in nodes: NodeTable) -> Int? { nil }

  /// A pop of what lies at the bottom inside goes no further out.
  var endsPop: Bool { false }

  /// The effect of a back if nothing is left to pop; `nil`: the surrounding container decides.
  func back(in container: NodeRecord, of flow: Program.Flow?) -> Gestures.Back? { nil }

  /// How many children there are to select from; nil: none is ever selected.
  func selectableCount(of container: NodeRecord) -> Int? { nil }

  /// The children in the order in which the nearest of a name is looked for: the one in front first.
  func childrenFromFront(of container: NodeRecord, in nodes: NodeTable) -> [NodeID] {
    let front = front(of: container, in: nodes)?.nodeID
    return (front.map { [$0] } ?? []) + nodes.children(of: container).filter { $0 != front }
  }

  /// Where the nearest screen of a name is looked for around what is visible.
  var search: Search { .nowhere }

  enum Search {
    case nowhere
    /// Among the children.
    case children
    /// In all that is below the children, once nothing was found among the children of those around.
    case subtrees
  }

  /// Updates a client's tree when all children of a node are set. `isNewKind`: the node has become one of this kind.
  func noteSet(in tree: inout Tree, isNewKind: Bool) {}

  /// The children in one line, for people.
  func sketch(_ children: [String], selected: Int?) -> String { "" }

  /// Brings a child to the front.
  func reveal(_ child: NodeRecord, of container: NodeRecord, in run: inout Run) {}

  /// The one change for a client if only the end of the children differs; `nil` if more has to be compared. `kept`: this number of first
  /// children is unchanged.
  func change(of before: NodeRecord, to after: NodeRecord, kept: Int32) -> (note: ChangeNote, phase: Changes.Phase)? { nil }

  /// Notes what a client plays when the children are others than before.
  func note(_ children: ChildrenChange, in changes: inout Changes) {}
}

extension ContainerRules {
  /// The child in front; nil: there is none.
  func front(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? {
    frontIndex(of: Int(container.childCount), selected: container.selectedIndex).flatMap { Siblings.child($0, of: container, in: nodes) }
  }

  /// Whether pushes land among its own children.
  func takesPushes(_ container: NodeRecord, in nodes: NodeTable) -> Bool { stack(of: container, in: nodes)?.id == container.id }
}

/// The children of one container before and after.
struct ChildrenChange {
  let container: NodeID
  let countBefore: Int
  let countAfter: Int
  /// How many at the beginning are the same.
  let common: Int
  /// The last of these; nil: there is none.
  let lastCommon: NodeID?
  /// The children behind the unchanged ones, before and after.
  let gone: [NodeID]
  let come: [NodeID]
  /// Which child is selected now.
  let selected: Int?

  /// `kept`: this number of first children is unchanged, and the children behind them are new; `nil` if unknown.
  init(of before: NodeRecord, in old: State, to after: NodeRecord, in new: State, kept: Int32?) {
    if let kept {
      let common = Int(min(kept, before.childCount, after.childCount))
      self.init(
        of: after, counts: (Int(before.childCount), Int(after.childCount)), common: common,
        gone: Siblings.last(Int(before.childCount) - common, below: before, in: old.nodes),
        come: Siblings.last(Int(after.childCount) - common, below: after, in: new.nodes),
        lastCommon: common == 0 ? nil : Siblings.child(common - 1, of: after, in: new.nodes)?.nodeID)
    } else {
      self.init(from: old.nodes.children(of: before), to: new.nodes.children(of: after), of: after)
    }
  }

  init(from before: [NodeID], to after: [NodeID], of container: NodeRecord) {
    var common = 0
    while common < before.count, common < after.count, before[common] == after[common] { common += 1 }
    self.init(
      of: container, counts: (before.count, after.count), common: common, gone: Array(before[common...]), come: Array(after[common...]),
      lastCommon: common == 0 ? nil : before[common - 1])
  }

  private init(
    of container: NodeRecord, counts: (before: Int, after: Int), common: Int, gone: [NodeID], come: [NodeID], lastCommon: NodeID?
  ) {
    self.container = container.nodeID
    (countBefore, countAfter) = counts
    self.common = common
    self.lastCommon = lastCommon
    self.gone = gone
    self.come = come
    selected = container.selectedIndex
  }

  /// One child took the place of another one at the end.
  var isReplacement: Bool { gone.count == 1 && come.count == 1 }

  /// Replaces all children.
  var whole: ChangeNote { .set(in: container) }

  /// The child at the end of what is common is another one.
  var replacement: ChangeNote { .replace(at: gone[0], node: come[0]) }
}

/// Operations on children that all containers share.
enum Children {
  /// The flow's own node, which the definition promises to be of this kind.
  static func container(_ run: borrowing Run, _ kind: Node.Kind, of flow: NodeID, else code: Refusal.Code) throws(Refusal) -> NodeID {
    guard let record = run.state.nodes.record(flow), record.kind == kind else {
      throw Refusal(code, "the flow \(name(run, of: flow)) is not a \(kind.rawValue) container")
    }
    return flow
  }

  /// For messages; empty: it is gone.
  static func name(_ run: borrowing Run, of id: NodeID) -> String { run.state.nodes.record(id).map(run.state.nodes.name) ?? "" }

  /// Creates the initial nodes of a flow.
  static func bear(_ run: inout Run, _ flow: Program.Flow, as id: NodeID) throws(Refusal) {
    switch flow.birth {
    case .empty: break
    case .root(let root):
      if flow.kind == .screen, case .screen(let screen) = root.target {
        try Making.furnishRoot(&run, id, screen, root)
      } else {
        try append(&run, root, to: id, owner: id, scope: Scope())
      }
    case .tabs(let tabs): try fill(&run, id, with: tabs, owner: id, scope: Scope())
    case .split(let master, let detail): try SplitOperations.bear(&run, id, flow, master: master, detail: detail)
    }
  }

  /// Makes a node as the last child of a container.
  static func append(_ run: inout Run, _ template: NodeTemplate, to container: NodeID, owner: NodeID?, scope: Scope) throws(Refusal) {
    try hang(&run, try Making.make(&run, template, owner: owner, parent: container, scope: scope), in: container)
  }

  /// Adds a node that was made for a container as its last child.
  static func hang(_ run: inout Run, _ node: NodeID, in container: NodeID) throws(Refusal) {
    do {
      try run.state.nodes.appendChild(node, to: container)
    } catch {
      throw Refusal(error, below: name(run, of: container))
    }
  }

  /// Replaces all children; the first of the new ones is selected in tabs.
  static func fill(_ run: inout Run, _ container: NodeID, with templates: [NodeTemplate], owner: NodeID?, scope: Scope) throws(Refusal) {
    Removal.remove(&run, run.state.nodes.children(of: container))
    run.state.nodes.update(container) { if $0.kind == .tabs { $0.selected = 0 } }
    for template in templates { try append(&run, template, to: container, owner: owner, scope: scope) }
  }
}
