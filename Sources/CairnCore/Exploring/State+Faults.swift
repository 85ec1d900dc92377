extension State {
  /// The inconsistencies of the nodes, effects and counters that can be found without the definition. States created by the reducer have
  /// none. A migration that would cause an inconsistency is not performed.
  package var faults: [String] {
    let all = nodes.values
    // The number of nodes on each level, without nodes that wait for the level.
    var occupants: [Int: Int] = [:]
    for case let (level?, false) in all.map({ ($0.level, $0.waits) }) { occupants[level, default: 0] += 1 }
    var slots: [String: Int] = [:]
    for case let (slot?, false) in all.map({ ($0.slot, $0.waits) }) { slots[slot, default: 0] += 1 }
    return all.flatMap { $0.faults(in: self, occupants, slots) }
      + effects.compactMap { effect in
        effect.owner.flatMap { nodes.record($0) == nil ? "the node of effect \(effect.id) does not exist" : nil }
      }
      + counterFaults + (uncounted.isEmpty ? [] : ["these nodes are outside the tree: \(uncounted)"])
  }

  /// The counters that are out of bounds, or that would assign a number twice.
  private var counterFaults: [String] {
    var faults: [String] = []
    func expect(_ holds: Bool, _ what: String) { if !holds { faults.append(what) } }
    expect(hasFreeNumbers, "the number for the next node, effect or link is already in use")
    // A state with a counter above the maximum would be unreadable. The bound is half of that maximum, so that the counters can still grow.
    let bound = State.highestNumber / 2
    expect((0...State.highestCount / 2).contains(revision), "the revision \(revision) is outside the allowed range")
    expect(nextNode <= Limits.idLimit && nodes.keys.allSatisfy { $0.number > 0 }, "the id of a node is outside the allowed range")
    for (name, number) in [("effect", nextEffect), ("link", nextLink)] {
      expect((0...bound).contains(number), "the next \(name) is outside the allowed range")
    }
    expect((0...State.highestCount / 2).contains(tokenWrites), "the number of token writes is outside the allowed range")
    let departure = "at which the app left the foreground"
    for (name, time) in [("of the manual clock", manualTime), (departure, leftForeground), (departure, leftForegroundByClient)] {
      expect(time.map(State.isTime) ?? true, "the time \(name) is outside the allowed range")
    }
    expect(
      effects.allSatisfy { State.isTime($0.start) && (0...bound).contains($0.ticks) },
      "the start time or the number of ticks of an effect is outside the allowed range")
    expect(sightings.allSatisfy { stands($0.node) }, "a node that has been marked as seen is not in the tree")
    #if !CLIENT_ENGINE
      expect(clients.count <= ClientBook.limit, "more than \(ClientBook.limit) clients have numbered actions")
      expect(clients.allSatisfy { (0...State.highestNumber).contains($0.number) }, "the number of an action is outside the allowed range")
    #endif
    return faults
  }

  /// The nodes of the table that are neither in the tree nor removed flows with a listener.
  package var uncounted: [NodeID] {
    let known = Set(reachable).union(listeners.filter { $0.isFlow }.map { $0.node })
    return nodes.keys.filter { !known.contains($0) }
  }

  /// All nodes in the tree, including the modals and overlays that wait. No node is listed twice, although a node may be its own child in a state
  /// that was read from a file. The children of a leaf are ignored.
  package var reachable: [NodeID] {
    var open = [root]
    var found: [NodeID] = []
    var seen: Set<NodeID> = []
    while let id = open.popLast() {
      guard seen.insert(id).inserted, let node = nodes[id] else { continue }
      found.append(id)
      open += (node.isLeaf ? [] : node.children) + (node.presented.map { [$0] } ?? [])
      // The parent of each node on a level and of each overlay is the root, even if the node waits.
      if id == root { open += nodes.values.filter { $0.level != nil || $0.slot != nil }.map { $0.id } }
    }
    return found
  }
}

extension State {
  /// Whether the number for the next held link is higher than those of all held actions. Both share one sequence of numbers.
  private var hasFreeHeldNumbers: Bool {
    #if CLIENT_ENGINE
      return true
    #else
      return heldActions.allSatisfy { $0.id.number < nextLink }
    #endif
  }

  /// Whether the numbers for the next node, effect and link are higher than all numbers in use, so that no number is assigned twice. Apart
  /// from the few held links and actions, this takes constant time.
  var hasFreeNumbers: Bool {
    (nodes.newestNumber ?? 0) < nextNode && (effects.last?.id ?? 0) < nextEffect && pendingLinks.allSatisfy { $0.id.number < nextLink }
      && hasFreeHeldNumbers
  }
}

extension Node {
  /// The inconsistencies of a node. `occupants` contains the number of nodes on each level, and `slots` the number of overlays in each slot.
  fileprivate func faults(in state: State, _ occupants: [Int: Int], _ slots: [String: Int]) -> [String] {
    var faults: [String] = []
    func expect(_ holds: Bool, _ what: String) { if !holds { faults.append("\(id) \(name): \(what)") } }
    let isOutside = state.listeners.contains { $0.isFlow && $0.node == id }
    expect(parent != nil || id == state.root || isOutside, "has no parent")
    expect(
      !isOutside || parent == nil && isLeaf && flow != nil && !isEnded, "is outside the tree, but is not a flow that listens for steps")
    if let level {
      expect(parent == state.root && style != nil && (1...255).contains(level), "is on a level, but is not a modal of the root")
      let others = (occupants[level] ?? 0) - (waits ? 0 : 1)
      expect(waits == (others > 0), "waits for a level that is free, or is on a level that another modal occupies")
    } else if let slot {
      expect(parent == state.root && isLeaf && flow == nil, "is an overlay, but is not a screen of the root")
      let others = (slots[slot] ?? 0) - (waits ? 0 : 1)
      expect(waits == (others > 0), "waits for a slot that is free, or is in a slot that another overlay occupies")
    } else if let parent = parent.flatMap({ state.nodes[$0] }) {
      expect(
        parent.children.filter { $0 == id }.count + (parent.presented == id ? 1 : 0) == 1,
        "is not listed exactly once among its parent's children")
    }
    for child in children + (presented.map { [$0] } ?? []) {
      expect(state.nodes[child]?.parent == id, "its child \(child) has another parent")
    }
    expect(!isLeaf || children.isEmpty && selected == nil, "is a leaf, but has children")
    if let fault = kind.rules?.fault(of: self, in: state.nodes) { expect(false, fault) }
    expect(kind != .alert || style == .alert, "is an alert, but has another style than alert")
    let isPresented = level != nil || parent.flatMap { state.nodes[$0]?.presented } == id
    expect((style != nil) == isPresented, "must have a presentation style exactly if it is presented")
    expect(owner != nil || id == state.root, "has no owner")
    return faults
  }
}
