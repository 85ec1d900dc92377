// The visible nodes, and the paths through the tree.
extension State {
  public subscript(id: NodeID) -> Node? {
    get { nodes[id] }
    set { nodes[id] = newValue }
  }

  /// It was given out once, living or gone.
  func wasIssued(_ id: NodeID) -> Bool { id.number < nextNode }

  /// Whether a living node is an instance of this screen. A flow of the same name does not count.
  func isScreen(_ id: NodeID, named screen: String) -> Bool {
    nodes.record(id).map { $0.isLeaf && nodes.name(of: $0).isExactly(screen) } ?? false
  }

  /// Whether a node is in the tree. A flow that is listened to when its node is gone lives on outside of it.
  func stands(_ id: NodeID) -> Bool { nodes.record(id).map(stands) ?? false }

  func stands(_ record: NodeRecord) -> Bool { record.parent != 0 || record.nodeID == root }

  /// The flow that a living node is an instance of.
  func flowName(of id: NodeID) -> String? { nodes.record(id).flatMap { nodes.flow(of: $0) } }

  /// The child in front of a container: the top of a stack, the selected tab, the child of a switch, the detail of a split.
  func front(of record: NodeRecord) -> NodeID? { frontRecord(of: record)?.nodeID }

  /// The same as a record.
  func frontRecord(of record: NodeRecord) -> NodeRecord? {
    record.childCount == 0 ? nil : record.rules?.front(of: record, in: nodes)
  }

  /// Adds the children of a container that are seen where it is.
  func appendVisibleChildren(of record: NodeRecord, to list: inout [NodeID]) {
    if record.rules?.showsAllChildren == true {
      list += nodes.children(of: record)
    } else if let front = front(of: record) {
      list.append(front)
    }
  }

  /// The end of the visible path: a leaf, or a container that is still empty.
  var visibleEnd: NodeRecord? { end(of: frontLayer) }

  /// The end of the path that is in front below a node.
  func end(of id: NodeID) -> NodeRecord? {
    var here = nodes.record(id)
    while let record = here, let front = frontRecord(of: record) { here = front }
    return here
  }

  /// The leaf in front, which is the sender of a step that names none.
  public var visibleLeaf: Node? { visibleRecord.flatMap { nodes[$0.nodeID] } }

  /// The same as a record. If the path ends in an empty flow nothing is visible, nor is anything below it, as elsewhere on a stack; of a
  /// split with an empty detail the master's is. Every check of visibility, or of a screen's right to send a step, uses this.
  var visibleRecord: NodeRecord? {
    guard let end = visibleEnd else { return nil }
    return end.isLeaf ? end : visibleLeaves.first
  }

  /// Every leaf that can be seen; two where a split shows both panes. The one in front comes first.
  var visibleLeaves: [NodeRecord] { leaves(seenIn: frontLayer) }

  /// The leaves that can be seen where a node can be; its modals aside.
  func leaves(seenIn id: NodeID) -> [NodeRecord] {
    var leaves: [NodeRecord] = []
    var open = [id]
    while let id = open.popLast() {
      guard let record = nodes.record(id) else { continue }
      if record.isLeaf { leaves.append(record) } else { appendVisibleChildren(of: record, to: &open) }
    }
    return leaves
  }

  /// A node that cannot be seen: under a modal, below the top of a stack, in a tab that is not selected. A flow is seen where its
  /// container is.
  func isCovered(_ id: NodeID) -> Bool {
    if visibleEnd?.nodeID == id { return false }
    return isCovered(id, below: frontLayer)
  }

  /// The same as if no higher level lay over it.
  func isCoveredInWindow(_ record: NodeRecord) -> Bool {
    guard nodes.hasLevels, let window = Levels.window(self, of: record) else { return isCovered(record.nodeID) }
    return isCovered(record.nodeID, below: frontLayer(over: window.nodeID))
  }

  private func isCovered(_ id: NodeID, below layer: NodeID) -> Bool {
    var open = [layer]
    while let next = open.popLast() {
      if next == id { return false }
      guard let record = nodes.record(next) else { continue }
      appendVisibleChildren(of: record, to: &open)
    }
    return true
  }

  /// From a node outwards through its containers, itself first; `acrossModals` goes on from a modal to its presenter,
  /// but not from one on a level: that is a window of its own.
  func ancestors(of id: NodeID, acrossModals: Bool) -> [NodeID] {
    var path = [id]
    while let record = nodes.record(path[path.count - 1]), acrossModals ? record.level == 0 : !isPresented(record),
      let parent = record.parentID
    {
      path.append(parent)
    }
    return path
  }

  /// A node, what is below it and what they present, as they are walked: children in order, then the modal. Below the root come
  /// those on levels too, last; those that wait are in no tree.
  func subtree(of id: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    var open = [id]
    while let next = open.popLast() {
      guard let record = nodes.record(next) else { continue }
      found.append(next)
      if next == root, nodes.hasModals { open += nodes.levels.reversed() }
      if let modal = record.presentedID { open.append(modal) }
      appendBackwards(childrenOf: record, to: &open)
    }
    return found
  }

  /// Adds the children of a node, the last one first.
  private func appendBackwards(childrenOf record: NodeRecord, to list: inout [NodeID]) {
    var child = nodes.record(record.lastChild)
    while let next = child {
      list.append(next.nodeID)
      child = nodes.record(next.previous)
    }
  }

  /// The flow instance that handles a node's steps: a flow handles its own.
  func hearer(of id: NodeID) -> NodeID? { nodes.record(id)?.hearer }

  /// A flow that can still handle steps.
  func isAlive(flow id: NodeID) -> Bool {
    guard let record = nodes.record(id) else { return false }
    return record.isAliveFlow
  }

  /// Flows and the living flows below them, depth-first, parent first, siblings in creation order. A chain of flows may be as
  /// long as the session is large, so nothing here calls itself.
  func flows(from roots: [NodeID]) -> [NodeID] {
    var found: [NodeID] = []
    var open = Array(roots.reversed())
    while let next = open.popLast() {
      found.append(next)
      guard let record = nodes.record(next) else { continue }
      open += OwnedFlows.all(of: record, in: nodes).reversed().filter { isAlive(flow: $0) }
    }
    return found
  }

  /// The effects of this state that have ended in a later one, in the order of their creation.
  func effectsOver(in later: State) -> [Effect.ID] {
    guard !sharesRest(with: later), !effects.isEmpty, effects != later.effects else { return [] }
    let running = Set(later.effects.lazy.map { $0.id })
    return effects.map { $0.id }.filter { !running.contains($0) }
  }

  /// The effects of this state that an earlier one had not, in the order of their creation.
  func effectsStarted(since earlier: State) -> [Effect] {
    guard nextEffect != earlier.nextEffect else { return [] }
    return effects.filter { $0.id >= earlier.nextEffect }
  }
}
