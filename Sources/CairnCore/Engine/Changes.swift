/// Changes in the order in which clients apply them. They are ordered by phase. Changes of the same phase keep the order in which they were
/// added.
struct Changes: Sendable {
  /// The phases in which changes are applied, in order. Children are removed in `take`, and added, replaced or set in `bring`.
  enum Phase: UInt8 {
    case dismiss, select, take, bring, present, overlay, update
  }

  /// The only change, if there is exactly one, stored without an array.
  private var only: (note: ChangeNote, phase: Phase)?
  /// All changes, if there are at least two.
  private var all: [(note: ChangeNote, phase: Phase)] = []
  /// The containers whose children are sent as a whole. The nodes below these containers need no changes of their own.
  private var whole: Set<NodeID> = []

  mutating func add(_ change: ChangeNote, _ phase: Phase) {
    if case .set(let container, _) = change { whole.insert(container) }
    if let first = only {
      all = [first]
      only = nil
    } else if all.isEmpty {
      only = (change, phase)
      return
    }
    let place = all.lastIndex { $0.phase.rawValue <= phase.rawValue }.map { $0 + 1 } ?? 0
    all.insert((change, phase), at: place)
  }

  var count: Int { only == nil ? all.count : 1 }

  subscript(index: Int) -> ChangeNote { only?.note ?? all[index].note }

  /// All changes in order, as an array.
  var inOrder: [ChangeNote] { (0..<count).map { self[$0] } }

  /// Whether a node needs no change of its own, because a container around it is sent with all its children.
  func hold(_ id: NodeID, in state: State) -> Bool {
    guard !whole.isEmpty else { return false }
    var here = id
    while let record = state.nodes.record(here), let parent = record.parentID {
      // A presented modal is not among the children.
      if whole.contains(parent), !record.isPresented(in: state.nodes) { return true }
      here = parent
    }
    return false
  }
}
