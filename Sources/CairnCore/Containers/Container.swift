/// The rules of one kind of container: its front child, its visible nodes, the target of a push, the effect of gestures, and the changes of its
/// children. The rules of each kind are in a separate file of this folder. This class contains the rules that hold for most kinds.
///
/// Unchecked: neither this class nor its subclasses have stored properties.
class ContainerRules: @unchecked Sendable {
  /// The index of the front child, from 0; `nil` if there are no children. `selected` is the selected index stored in the container's node.
  func frontIndex(of count: Int, selected: Int?) -> Int? { count == 0 ? nil : count - 1 }

  /// Whether all children of a visible container are visible, instead of only the front one.
  var showsAllChildren: Bool { false }

  /// Whether the visible route contains all children, instead of only the front one.
  var isRouteOfAllChildren: Bool { showsAllChildren }

  /// Returns the stack onto which this container's flow pushes nodes; `nil` if an outer container decides.
  func stack(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? { nil }

  /// The number of children that remain when everything above `child` is popped; `nil` if this kind does not pop, or `child` is not one of its
  /// children.
  func countThrough(_ child: NodeRecord, of container: NodeRecord, in nodes: NodeTable) -> Int? { nil }

  /// Whether a pop at the bottom of a stack inside this container has no effect on outer containers.
  var endsPop: Bool { false }

  /// The tabs that `back` may select if nothing can be popped, the preferred tab first. If there are none, the outer container determines
  /// the effect.
  func tabsBehind(_ container: NodeRecord, _ flow: Program.Flow?, in nodes: NodeTable) -> [NodeID] { [] }

  /// The number of children that can be selected; `nil` if this kind has no selection.
  func selectableCount(of container: NodeRecord) -> Int? { nil }

  /// The children in the order in which a search for the nearest node visits them: the front child first.
  func childrenFromFront(of container: NodeRecord, in nodes: NodeTable) -> [NodeID] {
    let front = front(of: container, in: nodes)?.nodeID
    return (front.map { [$0] } ?? []) + nodes.children(of: container).filter { $0 != front }
  }

  /// Updates a client's tree after all children of a node have been replaced. `isNewKind` is whether the node has just changed to this
  /// kind.
  func noteSet(in tree: inout Tree, isNewKind: Bool) {}

  /// Returns what is wrong with the children or the selection of a node of this kind; `nil` if both are valid. `nodes` is the table that
  /// contains the node.
  func fault(of node: Node, in nodes: NodeTable) -> String? { nil }

  /// The children in one line, for readers.
  func sketch(_ children: [String], selected: Int?) -> String { "" }

  /// Brings a child to the front of the container.
  func reveal(_ child: NodeRecord, of container: NodeRecord, in run: inout Run) {}

  /// The single change that a client needs, if it can be determined without a comparison of the children; otherwise `nil`. `kept` is the
  /// number of unchanged children at the beginning.
  func change(of before: NodeRecord, to after: NodeRecord, kept: Int32) -> (note: ChangeNote, phase: Changes.Phase)? { nil }

  /// Adds the changes that a client needs when the children differ.
  func note(_ children: ChildrenChange, in changes: inout Changes) {}
}

extension ContainerRules {
  /// The child in front; `nil` if there are no children.
  func front(of container: NodeRecord, in nodes: NodeTable) -> NodeRecord? {
    frontIndex(of: Int(container.childCount), selected: container.selectedIndex).flatMap { Siblings.child($0, of: container, in: nodes) }
  }

  /// Whether a push adds the new node to the container's own children.
  func takesPushes(_ container: NodeRecord, in nodes: NodeTable) -> Bool { stack(of: container, in: nodes)?.id == container.id }
}

/// The children of one container before and after an action.
struct ChildrenChange {
  let container: NodeID
  let countBefore: Int
  let countAfter: Int
  /// The number of equal children at the beginning.
  let common: Int
  /// The last of the equal children; `nil` if there are none.
  let lastCommon: NodeID?
  /// The children that follow the equal ones: `gone` before the action, and `come` after it.
  let gone: [NodeID]
  let come: [NodeID]
  /// The index of the child selected after the action; `nil` if the container is not a tab container.
  let selected: Int?

  /// Compares the children of two versions of a node. `kept` is the number of unchanged children at the beginning, after which all children
  /// are new; `nil` if the number is unknown.
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

  /// Whether the last child, and no other one, was replaced.
  var isReplacement: Bool { gone.count == 1 && come.count == 1 }

  /// The change that replaces all children.
  var whole: ChangeNote { .set(in: container) }

  /// The change that replaces the first child after the equal ones.
  var replacement: ChangeNote { .replace(at: gone[0], node: come[0]) }
}

/// Operations on children that all kinds of containers share.
enum Children {
  /// Returns the id of the flow's own node. Throws a refusal with `code` if the node is not a container of this kind.
  static func container(_ run: borrowing Run, _ kind: Node.Kind, of flow: NodeID, else code: Refusal.Code) throws(Refusal) -> NodeID {
    guard let record = run.state.nodes.record(flow), record.kind == kind else {
      throw Refusal(code, "the flow \(name(run, of: flow)) is not a \(kind.rawValue) container")
    }
    return flow
  }

  /// The name of a node for messages; empty if the node does not exist.
  static func name(_ run: borrowing Run, of id: NodeID) -> String { run.state.nodes.record(id).map(run.state.nodes.name) ?? "" }

  /// Creates the initial nodes of a flow.
  static func create(_ run: inout Run, _ flow: Program.Flow, as id: NodeID) throws(Refusal) {
    switch flow.initialChildren {
    case .empty: break
    case .root(let root):
      if flow.kind == .screen, case .screen(let screen) = root.target {
        try Making.furnishRoot(&run, id, screen, root)
      } else {
        try append(&run, root, to: id, owner: id, scope: Scope(flow: id))
      }
    case .tabs(let tabs): try fill(&run, id, with: tabs, owner: id, scope: Scope(flow: id))
    case .split(let master, let detail): try SplitOperations.create(&run, id, flow, master: master, detail: detail)
    }
  }

  /// Creates a node as the last child of a container. Throws if a param is invalid, or if a bound is exceeded.
  static func append(_ run: inout Run, _ template: NodeTemplate, to container: NodeID, owner: NodeID?, scope: Scope) throws(Refusal) {
    try hang(&run, try Making.make(&run, template, owner: owner, parent: container, scope: scope), in: container)
  }

  /// Adds a new node to a container as its last child. Throws `no-stack` or `flow-gone` if the container is a leaf or no longer in the
  /// tree.
  static func hang(_ run: inout Run, _ node: NodeID, in container: NodeID) throws(Refusal) {
    do {
      try run.state.nodes.appendChild(node, to: container)
    } catch {
      throw Refusal(error, below: name(run, of: container))
    }
  }

  /// Replaces all children. In tabs, the first new child that can be selected is selected.
  static func fill(_ run: inout Run, _ container: NodeID, with templates: [NodeTemplate], owner: NodeID?, scope: Scope) throws(Refusal) {
    Removal.remove(&run, run.state.nodes.children(of: container))
    run.state.nodes.update(container) { if $0.kind == .tabs { $0.selected = 0 } }
    for template in templates { try append(&run, template, to: container, owner: owner, scope: scope) }
    if run.state.nodes.record(container)?.kind == .tabs { TabHistory.begin(&run, container) }
  }
}
