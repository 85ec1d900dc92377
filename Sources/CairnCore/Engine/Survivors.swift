/// The nodes that exist in both of two states and differ. They are in the order of the old tree: a container, its children, then its modal.
struct Survivors {
  /// Whether no node was created, destroyed or changed.
  private(set) var isUnchanged = true
  /// A node, and the number of its unchanged children at the beginning; `nil` if the number is unknown.
  struct Survivor {
    var id: NodeID
    var keptChildren: Int32?
  }

  /// The first survivor. Usually it is the only one and needs no array.
  private var first: Survivor?
  private var others: [Survivor] = []

  /// Compares all nodes of two states.
  static func between(_ old: State, and new: State) -> Survivors {
    var survivors = Survivors()
    NodeDifference.forEach(from: old.nodes, to: new.nodes) { now, past in survivors.note(now, past, nil) }
    if !survivors.others.isEmpty { survivors.sort(in: old) }
    return survivors
  }

  /// Compares only the nodes in `edited`, which were written between the two states.
  static func between(_ old: State, and new: State, _ edited: borrowing EditedNodes) -> Survivors {
    var survivors = Survivors()
    NodeDifference.forEach(of: edited, from: old.nodes, to: new.nodes) { now, past, kept in survivors.note(now, past, kept) }
    if !survivors.others.isEmpty { survivors.sort(in: old) }
    return survivors
  }

  var count: Int { first == nil ? 0 : others.count + 1 }

  subscript(index: Int) -> Survivor? { index == 0 ? first : others[index - 1] }

  private mutating func note(_ now: NodeRecord?, _ past: NodeRecord?, _ keptChildren: Int32?) {
    isUnchanged = false
    guard let now, past != nil else { return }
    let survivor = Survivor(id: now.nodeID, keptChildren: keptChildren)
    if first == nil { first = survivor } else { others.append(survivor) }
  }

  private mutating func sort(in old: State) {
    guard let first else { return }
    var all = [first] + others
    if all.count > 16 {
      var wanted: [NodeID: Survivor] = [:]
      for survivor in all { wanted[survivor.id] = survivor }
      all = old.subtree(of: old.root).compactMap { wanted[$0] }
    } else {
      let ways = all.map { (survivor: $0, way: Self.way(to: $0.id, in: old.nodes)) }
      all = ways.sorted { $0.way.lexicographicallyPrecedes($1.way) }.map { $0.survivor }
    }
    self.first = all.first
    others = Array(all.dropFirst())
  }

  /// The child indices on the path from the root to a node. A node's modal has a higher index than all its children. Modals on levels have
  /// the highest indices.
  private static func way(to id: NodeID, in nodes: NodeTable) -> [Int] {
    var way: [Int] = []
    var here = id
    while let record = nodes.record(here), let parent = record.parentID, let container = nodes.record(parent) {
      let last = Int.max - 256 + record.level
      way.append(record.level != 0 || container.presented == record.id ? last : Siblings.index(of: record, in: nodes))
      here = parent
    }
    return way.reversed()
  }
}
