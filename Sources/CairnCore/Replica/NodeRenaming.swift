/// The new ids of the nodes that predictions had created.
struct NodeRenaming {
  /// The nodes that are shown again, with their new ids.
  private(set) var kept: [NodeID: NodeID] = [:]
  /// The nodes that are not.
  private var gone: [NodeID] = []

  /// The ids that actions name instead of theirs. A node that is not shown again has none, because its id may be that of another node by now.
  var named: [NodeID: NodeID] { gone.isEmpty ? kept : gone.reduce(into: kept) { $0[$1] = NodeID(0) } }

  /// Adds the nodes that an action had created, and those that it has created now. Nodes in the same place are the same node.
  mutating func add(_ old: [NodeID], _ new: [NodeID]) {
    for (old, new) in zip(old, new) { kept[old] = new }
    gone += old.dropFirst(new.count)
  }

  /// Adds the confirmed nodes whose ids are those of other nodes in a state that was read, or can become so. That is so after the service was restored
  /// from a backup.
  mutating func replace(in before: State, by after: State) {
    for node in before.nodes.values {
      let isOther = after.nodes[node.id].map { $0.name != node.name || $0.flow != node.flow } ?? (node.id.number >= after.nextNode)
      if isOther { gone.append(node.id) }
    }
  }

  /// Adds the nodes that actions had created, and whose actions have run in a state that was read. The state does not say which node is whose, so each is
  /// compared with the nodes that are new, from the number `first`. Ids rise in the order of creation, and mostly they are the predicted ones.
  mutating func match(_ old: [NodeID], of before: State, from first: WideInt, in after: State) {
    var next = first
    for id in old {
      let node = before.nodes[id]
      var place = id.number >= next && isSame(node, after.nodes[id]) ? id.number : next
      while place < after.nextNode, !isSame(node, after.nodes[NodeID(place)]) { place += 1 }
      if place < after.nextNode {
        kept[id] = NodeID(place)
        next = place + 1
      } else {
        gone.append(id)
      }
    }
  }

  private func isSame(_ old: Node?, _ new: Node?) -> Bool {
    guard let old, let new else { return false }
    return new.params == old.params && new.isInPlace(of: old, kept)
  }

  /// The new ids of all nodes that get one. A node that is not shown again gets an unused one, because another node may have its id now. So does a
  /// predicted node that is in another place now, because changes only move confirmed nodes.
  func complete(from before: State, to after: State) -> [NodeID: NodeID] {
    var renamed = kept
    var unused = max(before.nextNode, after.nextNode)
    func replace(_ id: NodeID) {
      renamed[id] = NodeID(unused)
      unused += 1
    }
    for id in gone { replace(id) }
    var seen: Set<NodeID> = []
    func look(from first: [NodeID]) {
      var open = first
      while let id = open.popLast() {
        guard let node = before.nodes[id], seen.insert(id).inserted else { continue }
        if let new = kept[id], let now = after.nodes[new], !now.isInPlace(of: node, renamed) { replace(id) }
        open += node.children + (node.presented.map { [$0] } ?? [])
      }
    }
    look(from: [before.root] + before.nodes.levels)
    // A modal that waits is not in the tree, and can be shown elsewhere later.
    for id in kept.keys.sorted() { look(from: [id]) }
    return renamed.filter { $0.key != $0.value }
  }
}

extension Node {
  /// Whether the node is what the other one was, in the same place.
  fileprivate func isInPlace(of other: Node, _ renamed: [NodeID: NodeID]) -> Bool {
    func new(_ id: NodeID?) -> NodeID? { id.map { renamed[$0] ?? $0 } }
    return kind == other.kind && name == other.name && flow == other.flow && parent == new(other.parent) && style == other.style
      && level == other.level && on == new(other.on)
  }
}
