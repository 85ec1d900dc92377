/// The nodes that are in two states and not equal, as records before and after, in the order in which the old tree is walked: a
/// container, its children in order, then its modal.
struct Survivors {
  typealias Pair = (before: NodeRecord, after: NodeRecord)

  /// Nothing came, nothing went, and all are equal.
  private(set) var isUnchanged = true
  /// Mostly there is one: kept without a list.
  private var first: Pair?
  private var others: [Pair] = []

  init(from old: State, to new: State) {
    new.nodes.compare(with: old.nodes) { now, past in note(now, past) }
    if !others.isEmpty { sort(in: old) }
  }

  var count: Int { first == nil ? 0 : others.count + 1 }

  /// The n-th, from 0.
  subscript(index: Int) -> Pair? { index == 0 ? first : others[index - 1] }

  private mutating func note(_ now: NodeRecord?, _ past: NodeRecord?) {
    isUnchanged = false
    guard let now, let past else { return }
    if first == nil { first = (past, now) } else { others.append((past, now)) }
  }

  private mutating func sort(in old: State) {
    guard let first else { return }
    var pairs = [first] + others
    if pairs.count > 16 {
      let byID = Dictionary(uniqueKeysWithValues: pairs.map { ($0.before.nodeID, $0) })
      pairs = old.subtree(of: old.root).compactMap { byID[$0] }
    } else {
      let ways = pairs.map { (pair: $0, way: old.way(to: $0.before.nodeID)) }
      pairs = ways.sorted { $0.way.lexicographicallyPrecedes($1.way) }.map(\.pair)
    }
    self.first = pairs.first
    others = Array(pairs.dropFirst())
  }
}

extension State {
  /// At which child it goes on, from the root to a node; a modal comes behind all children.
  fileprivate func way(to id: NodeID) -> [Int] {
    var way: [Int] = []
    var here = id
    while let record = nodes.record(here), let parent = record.parentID, let container = nodes.record(parent) {
      way.append(container.presented == record.id ? .max : nodes.children(of: container).firstIndex(of: here) ?? .max)
      here = parent
    }
    return way.reversed()
  }
}
