// What is visible: the tree falls into layers, the root's and one a modal; a modal covers all that is not inside it.
extension State {
  public subscript(id: NodeID) -> Node? {
    _read { yield nodes[id] }
    _modify { yield &nodes[id] }
  }

  /// It was given out once, living or gone.
  func wasIssued(_ id: NodeID) -> Bool { id.number < nextNode }

  func isPresented(_ id: NodeID) -> Bool {
    guard let parent = self[id]?.parent else { return false }
    return self[parent]?.presented == id
  }

  /// The root of the layer that a node is in: a presented node, or the root of all.
  func layer(of id: NodeID) -> NodeID {
    var here = id
    while !isPresented(here), let parent = self[here]?.parent { here = parent }
    return here
  }

  /// The layers in front of each other, the root's first. Of several modals over one layer the newest is in front.
  var layers: [NodeID] {
    let modals = nodes.values.compactMap { node in node.presented.map { (layer: layer(of: node.id), modal: $0) } }
    var chain = [root]
    while let front = modals.lazy.filter({ $0.layer == chain[chain.count - 1] }).map(\.modal).max() { chain.append(front) }
    return chain
  }

  /// The way from the root of the front layer to its leaf (or to a container that is still empty).
  var visiblePath: [NodeID] {
    var path = [layers.last ?? root]
    while let front = self[path[path.count - 1]]?.front { path.append(front) }
    return path
  }

  /// The leaf in front: where a step without an emitter comes from.
  public var visibleLeaf: Node? {
    guard let last = visiblePath.last, let node = self[last], node.isLeaf else { return nil }
    return node
  }

  /// Every leaf that can be seen; two where a split shows both panes. The one in front comes first.
  var visibleLeaves: [Node] {
    var leaves: [Node] = []
    var open = [layers.last ?? root]
    while let id = open.popLast() {
      guard let node = self[id] else { continue }
      if node.isLeaf {
        leaves.append(node)
      } else if node.kind == .split {
        open += node.children
      } else if let front = node.front {
        open.append(front)
      }
    }
    return leaves
  }

  /// A leaf that cannot be seen: under a modal, below the top of a stack, in a tab that is not selected.
  func isCovered(_ id: NodeID) -> Bool { !visibleLeaves.contains { $0.id == id } }

  /// From a node outwards through its containers, itself first; `acrossModals` goes on from a modal to its presenter.
  func ancestors(of id: NodeID, acrossModals: Bool) -> [NodeID] {
    var path = [id]
    while let last = path.last, acrossModals || !isPresented(last), let parent = self[last]?.parent { path.append(parent) }
    return path
  }

  /// The effects of this state that a later one has no more, in the order of their creation.
  func effectsOver(in later: State) -> [Effect.ID] {
    let running = Set(later.effects.lazy.map(\.id))
    return effects.map(\.id).filter { !running.contains($0) }
  }

  /// A node, what is below it and what they present.
  func subtree(of id: NodeID) -> [NodeID] {
    var found: [NodeID] = []
    var open = [id]
    while let next = open.popLast() {
      guard let node = self[next] else { continue }
      found.append(next)
      if let modal = node.presented { open.append(modal) }
      open += node.children.reversed()
    }
    return found
  }

  /// The flow instance that hears a node's steps: a flow hears its own.
  func hearer(of node: Node) -> NodeID? { node.flow != nil ? node.id : node.owner }

  /// A flow that can still handle steps.
  func isAlive(flow id: NodeID) -> Bool { self[id].map { $0.flow != nil && !$0.ended } ?? false }

  /// Flows and the living flows below them, depth-first, parent first, siblings in creation order. A chain of flows may be as
  /// long as the session is large, so nothing here calls itself.
  func flows(from roots: [NodeID]) -> [NodeID] {
    var children: [NodeID: [NodeID]] = [:]
    for node in nodes.values where node.flow != nil && !node.ended {
      if let owner = node.owner { children[owner, default: []].append(node.id) }
    }
    var found: [NodeID] = []
    var open = Array(roots.reversed())
    while let next = open.popLast() {
      found.append(next)
      open += (children[next] ?? []).sorted().reversed()
    }
    return found
  }
}
