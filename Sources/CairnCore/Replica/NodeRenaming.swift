/// The new ids of the nodes that predicted actions created, after these actions have been run again.
struct NodeRenaming {
  /// The nodes that exist again, with their new ids.
  private(set) var kept: [NodeID: NodeID] = [:]
  /// The nodes that do not exist again.
  private var gone: [NodeID] = []

  /// The ids by which actions must name the nodes after the renaming. A node that does not exist again gets the invalid id 0, because
  /// another node may now have its old id.
  var named: [NodeID: NodeID] { gone.isEmpty ? kept : gone.reduce(into: kept) { $0[$1] = .neverCreated } }

  /// Adds the nodes that an action created when it was run before (`old`) and now (`new`). Nodes with the same index are the same node.
  mutating func add(_ old: [NodeID], _ new: [NodeID]) {
    for (old, new) in zip(old, new) { kept[old] = new }
    gone += old.dropFirst(new.count)
  }

  /// Marks each confirmed node as gone whose id belongs, or can later belong, to another node in a state from the service. Ids are reused
  /// in this way after the service has been restored from a backup.
  mutating func replace(in before: State, by after: State) {
    for node in before.nodes.values {
      let isOther = after.nodes[node.id].map { $0.name != node.name || $0.flow != node.flow } ?? (node.id.number >= after.nextNode)
      if isOther { gone.append(node.id) }
    }
  }

  /// Adds the predicted nodes of actions whose results are already contained in a state from the service. The state does not record which
  /// action created which node, so each predicted node is compared with the new nodes, whose numbers begin with `first`. Ids increase in
  /// the order of creation, and usually equal the predicted ones.
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
    #if !CLIENT_ENGINE
      // The `order` of a modal comes from the same sequence of numbers as the ids. Only the native replica renames it, because only that replica
      // returns changes.
      for node in before.nodes.values {
        guard let order = node.order, let place = gone.firstIndex(of: order), let new = after.nodes[kept[node.id] ?? node.id]?.order else {
          continue
        }
        gone.remove(at: place)
        kept[order] = new
      }
    #endif
  }

  private func isSame(_ old: Node?, _ new: Node?) -> Bool {
    guard let old, let new else { return false }
    return new.params == old.params && new.isInPlace(of: old, kept)
  }

  /// Returns the new ids of all nodes that need a new id. A node that does not exist again gets an unused id, because another node may now have its
  /// old id. A predicted node in a different position also gets a new id, because changes only move confirmed nodes.
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
    look(from: [before.root] + before.nodes.levels + before.nodes.overlays)
    // Nodes outside the tree are compared too, because a waiting modal may later be shown in another position.
    for id in kept.keys.sorted() { look(from: [id]) }
    return renamed.filter { $0.key != $0.value }
  }
}

extension Node {
  /// Whether the node is the same screen or flow as `other`, in the same position.
  fileprivate func isInPlace(of other: Node, _ renamed: [NodeID: NodeID]) -> Bool {
    func new(_ id: NodeID?) -> NodeID? { id.map { renamed[$0] ?? $0 } }
    return kind == other.kind && name == other.name && flow == other.flow && parent == new(other.parent) && style == other.style
      && level == other.level && on == new(other.on)
  }
}
