/// The nodes that are in two states and not equal, in the order in which the old tree is walked: a container, its children in order,
/// then its modal.
struct Survivors {
  /// Nothing came, nothing went, and all are equal.
  private(set) var isUnchanged = true
  /// Mostly there is one: kept without a list.
  private var first: NodeID?
  private var others: [NodeID] = []

  /// What is not equal in a later state.
  static func between(_ old: State, and new: State) -> Survivors {
    var survivors = Survivors()
    new.nodes.compare(with: old.nodes) { now, past in survivors.note(now, past) }
    if !survivors.others.isEmpty { survivors.sort(in: old) }
    return survivors
  }

  var count: Int { first == nil ? 0 : others.count + 1 }

  /// The n-th, from 0.
  subscript(index: Int) -> NodeID? { index == 0 ? first : others[index - 1] }

  private mutating func note(_ now: NodeRecord?, _ past: NodeRecord?) {
    isUnchanged = false
    guard let now, past != nil else { return }
    if first == nil { first = now.nodeID } else { others.append(now.nodeID) }
  }

  private mutating func sort(in old: State) {
    guard let first else { return }
    var ids = [first] + others
    if ids.count > 16 {
      let wanted = Set(ids)
      ids = old.subtree(of: old.root).filter(wanted.contains)
    } else {
      let ways = ids.map { (id: $0, way: old.way(to: $0)) }
      ids = ways.sorted { $0.way.lexicographicallyPrecedes($1.way) }.map { $0.id }
    }
    self.first = ids.first
    others = Array(ids.dropFirst())
  }
}

extension State {
  /// At which child it goes on, from the root to a node; a modal comes behind all children, one on a level behind that.
  fileprivate func way(to id: NodeID) -> [Int] {
    var way: [Int] = []
    var here = id
    while let record = nodes.record(here), let parent = record.parentID, let container = nodes.record(parent) {
      let last = Int.max - 256 + record.level
      way.append(container.presented == record.id ? last : nodes.children(of: container).firstIndex(of: here) ?? last)
      here = parent
    }
    return way.reversed()
  }
}
