// Visible nodes and paths through the tree.
extension State {
  public subscript(id: NodeID) -> Node? {
    get { nodes[id] }
    set { nodes[id] = newValue }
  }

  /// Whether a node with this id exists or has existed.
  func wasIssued(_ id: NodeID) -> Bool { id.number < nextNode }

  /// Whether a living node is an instance of this screen. A flow of the same name does not count.
  func isScreen(_ id: NodeID, named screen: String) -> Bool {
    nodes.record(id).map { $0.isLeaf && nodes.name(of: $0).isExactly(screen) } ?? false
  }

  /// Whether a node is in the tree. A removed flow whose steps are still handled exists outside of it.
  func stands(_ id: NodeID) -> Bool { nodes.record(id).map(stands) ?? false }

  func stands(_ record: NodeRecord) -> Bool { record.parent != 0 || record.nodeID == root }

  /// The flow that a living node is an instance of.
  func flowName(of id: NodeID) -> String? { nodes.record(id).flatMap { nodes.flow(of: $0) } }

  /// The child in front of a container: the top of a stack, the selected tab, the child of a switch, the detail of a split.
  func front(of record: NodeRecord) -> NodeID? { frontRecord(of: record)?.nodeID }

  /// The record of the child in front.
  func frontRecord(of record: NodeRecord) -> NodeRecord? {
    record.childCount == 0 ? nil : record.rules?.front(of: record, in: nodes)
  }

  /// Adds the children of a container that are visible if the container is.
  func appendVisibleChildren(of record: NodeRecord, to list: inout [NodeID]) {
    if record.rules?.showsAllChildren == true {
      list += nodes.children(of: record)
    } else if let front = front(of: record) {
      list.append(front)
    }
  }

  /// The end of the visible path: a leaf, or a container that is still empty.
  var visibleEnd: NodeRecord? { end(of: frontLayer) }

  /// The last node on the path of front children that starts at a node.
  func end(of id: NodeID) -> NodeRecord? {
    var here = nodes.record(id)
    while let record = here, let front = frontRecord(of: record) { here = front }
    return here
  }

  /// The visible screen in front. It is the sender of a step that names no sender.
  public var visibleLeaf: Node? { visibleRecord.flatMap { nodes[$0.nodeID] } }

  /// The record of the visible screen in front. If the path ends in an empty flow, nothing is visible, except in a split with an empty
  /// detail, where it is the master's screen. Every check of visibility, and of a screen's permission to send a step, uses this property.
  var visibleRecord: NodeRecord? {
    guard let end = visibleEnd else { return nil }
    return end.isLeaf ? end : visibleLeaves.first
  }

  /// All visible screens, the one in front first. There are two where a split shows both panes.
  var visibleLeaves: [NodeRecord] { leaves(seenIn: frontLayer) }

  /// The screens that are visible if the node is visible, without those of its modals.
  func leaves(seenIn id: NodeID) -> [NodeRecord] {
    var leaves: [NodeRecord] = []
    var open = [id]
    while let id = open.popLast() {
      guard let record = nodes.record(id) else { continue }
      if record.isLeaf { leaves.append(record) } else { appendVisibleChildren(of: record, to: &open) }
    }
    return leaves
  }

  /// Whether a node is invisible: below a modal, below the top of a stack, or in a tab that is not selected. A flow is visible if its container is.
  func isCovered(_ id: NodeID) -> Bool {
    if visibleEnd?.nodeID == id { return false }
    return isCovered(id, below: frontLayer)
  }

  /// Whether a node is covered inside its own window, ignoring higher levels.
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

  /// The node and its containers, from the inside out. With `acrossModals`, a modal is followed by its presenter, unless the modal is on a
  /// level, which is a separate window.
  func ancestors(of id: NodeID, acrossModals: Bool) -> [NodeID] {
    var path = [id]
    while let record = nodes.record(path[path.count - 1]), acrossModals ? record.level == 0 : !isPresented(record),
      let parent = record.parentID
    {
      path.append(parent)
    }
    return path
  }

  /// The node and all nodes below it, depth-first: the children in order, then the modal. For the root, modals on levels follow. Modals
  /// that wait for their level are not in the tree and are left out.
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

  /// Adds the children of a node, last child first.
  private func appendBackwards(childrenOf record: NodeRecord, to list: inout [NodeID]) {
    var child = nodes.record(record.lastChild)
    while let next = child {
      list.append(next.nodeID)
      child = nodes.record(next.previous)
    }
  }

  /// The flow instance that handles a node's steps. For a flow, the flow itself.
  func hearer(of id: NodeID) -> NodeID? { nodes.record(id)?.hearer }

  /// Whether a flow exists and can handle steps.
  func isAlive(flow id: NodeID) -> Bool {
    guard let record = nodes.record(id) else { return false }
    return record.isAliveFlow
  }

  /// The flows and the living flows below them, depth-first, parents first, siblings in the order of creation. The function is not
  /// recursive, because a chain of flows can be very long.
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

  /// The effects of this state that a later state does not contain, in the order of their creation.
  func effectsOver(in later: State) -> [Effect.ID] {
    guard !sharesRest(with: later), !effects.isEmpty, effects != later.effects else { return [] }
    let running = Set(later.effects.lazy.map { $0.id })
    return effects.map { $0.id }.filter { !running.contains($0) }
  }

  /// The effects of this state that an earlier state did not contain, in the order of their creation.
  func effectsStarted(since earlier: State) -> [Effect] {
    guard nextEffect != earlier.nextEffect else { return [] }
    return effects.filter { $0.id >= earlier.nextEffect }
  }
}
