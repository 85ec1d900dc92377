// Finds the visible nodes, and the paths through the tree.
extension State {
  public subscript(id: NodeID) -> Node? {
    get { nodes[id] }
    set { nodes[id] = newValue }
  }

  /// Whether a node has ever had this id, even if the node has been destroyed.
  func wasIssued(_ id: NodeID) -> Bool { id.number < nextNode }

  /// Whether an existing node is an instance of this screen. A flow of the same name does not count.
  func isScreen(_ id: NodeID, named screen: String) -> Bool {
    nodes.record(id).map { $0.isLeaf && nodes.name(of: $0).isExactly(screen) } ?? false
  }

  /// Whether a node is in the tree; modals and overlays that wait count too. A removed flow that still has listeners exists outside the tree.
  func stands(_ id: NodeID) -> Bool { nodes.record(id).map(stands) ?? false }

  func stands(_ record: NodeRecord) -> Bool { record.parent != 0 || record.nodeID == root }

  /// The name of the flow that an existing node is an instance of; `nil` for other nodes.
  func flowName(of id: NodeID) -> String? { nodes.record(id).flatMap { nodes.flow(of: $0) } }

  /// The child in front of a container: the top of a stack, the selected tab, the child of a switch, the detail of a split; `nil` if the container is empty.
  func front(of record: NodeRecord) -> NodeID? { frontRecord(of: record)?.nodeID }

  /// The record of the child in front of a container; `nil` if the container is empty.
  func frontRecord(of record: NodeRecord) -> NodeRecord? {
    record.childCount == 0 ? nil : record.rules?.front(of: record, in: nodes)
  }

  /// Appends the visible children of a visible container.
  func appendVisibleChildren(of record: NodeRecord, to list: inout [NodeID]) {
    if record.rules?.showsAllChildren == true {
      list += nodes.children(of: record)
    } else if let front = front(of: record) {
      list.append(front)
    }
  }

  /// The end of the visible path: a leaf, or a container that is still empty.
  var visibleEnd: NodeRecord? { end(of: frontLayer) }

  /// The last node on the path from `id` to the front; `nil` if the node does not exist.
  func end(of id: NodeID) -> NodeRecord? {
    var here = nodes.record(id)
    while let record = here, let front = frontRecord(of: record) { here = front }
    return here
  }

  /// The leaf in front; `nil` if nothing is visible. Unless a split shows several screens, it is the sender of a step that names no sender.
  public var visibleLeaf: Node? { visibleRecord.flatMap { nodes[$0.nodeID] } }

  /// The record of `visibleLeaf`. If the visible path ends in an empty flow, nothing is visible; in a split with an empty detail, the leaf of the master is
  /// visible.
  var visibleRecord: NodeRecord? {
    guard let end = visibleEnd else { return nil }
    return end.isLeaf ? end : visibleLeaves.first
  }

  /// Every visible leaf, the frontmost first. There are two if a split shows both panes.
  var visibleLeaves: [NodeRecord] { leaves(seenIn: frontLayer) }

  /// The leaves below `id` that are visible when `id` itself is visible, without the leaves of its modals.
  func leaves(seenIn id: NodeID) -> [NodeRecord] {
    var leaves: [NodeRecord] = []
    var open = [id]
    while let id = open.popLast() {
      guard let record = nodes.record(id) else { continue }
      if record.isLeaf { leaves.append(record) } else { appendVisibleChildren(of: record, to: &open) }
    }
    return leaves
  }

  /// Whether a node is invisible: under a modal, below the top of a stack, or in a tab that is not selected. A flow is visible if its container is
  /// visible.
  func isCovered(_ id: NodeID) -> Bool {
    if visibleEnd?.nodeID == id { return false }
    if nodes.hasLevels, let record = nodes.record(id), record.isOverlay { return record.waits || !nodes.levels.isEmpty }
    return isCovered(id, below: frontLayer)
  }

  /// Whether a node is invisible within its window, as if no higher level covered it.
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

  /// The node and its containers, from the inside out. With `acrossModals`, the path continues from a modal to its presenter. A modal on a level
  /// always ends the path, because it is a separate window.
  func ancestors(of id: NodeID, acrossModals: Bool) -> [NodeID] {
    var path: [NodeID] = []
    // Most paths are shorter, and an array that grows is allocated again.
    path.reserveCapacity(8)
    path.append(id)
    while let record = nodes.record(path[path.count - 1]), acrossModals ? record.level == 0 : !record.isPresented(in: nodes),
      let parent = record.parentID
    {
      path.append(parent)
    }
    return path
  }

  /// A node with all its descendants and their modals, in the order of a walk: the children in order, then the modal. For the root, the overlays and
  /// the modals on levels follow last. Waiting modals and overlays are not included.
  func subtree(of id: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    var open = [id]
    while let next = open.popLast() {
      guard let record = nodes.record(next) else { continue }
      found.append(next)
      if next == root, nodes.hasModals { open += (nodes.overlays + nodes.levels).reversed() }
      if let modal = record.presentedID { open.append(modal) }
      appendBackwards(childrenOf: record, to: &open)
    }
    return found
  }

  /// Appends the children of a node in reverse order.
  private func appendBackwards(childrenOf record: NodeRecord, to list: inout [NodeID]) {
    var child = nodes.record(record.lastChild)
    while let next = child {
      list.append(next.nodeID)
      child = nodes.record(next.previous)
    }
  }

  /// The flow instance that handles a node's steps; `nil` if the node does not exist. A flow handles its own steps.
  func handlingFlow(of id: NodeID) -> NodeID? { nodes.record(id)?.handlingFlow }

  /// Whether a flow exists and has not ended, so that it can still handle steps.
  func isAlive(flow id: NodeID) -> Bool {
    guard let record = nodes.record(id) else { return false }
    return record.isAliveFlow
  }

  /// Returns each given flow, followed by its descendant flows depth-first, siblings in creation order. A descendant that has ended is
  /// omitted together with its own descendants. Iterative, because a chain of flows can be too deep for recursion.
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

  /// The ids of the effects of this state that no longer run in a later one, in the order of their creation.
  func effectsOver(in later: State) -> [Effect.ID] {
    guard !sharesRest(with: later), !effects.isEmpty, effects != later.effects else { return [] }
    let running = Set(later.effects.lazy.map { $0.id })
    return effects.map { $0.id }.filter { !running.contains($0) }
  }

  /// The effects of this state that an earlier state does not have, in the order of their creation.
  func effectsStarted(since earlier: State) -> [Effect] {
    guard nextEffect != earlier.nextEffect else { return [] }
    return effects.filter { $0.id >= earlier.nextEffect }
  }
}
