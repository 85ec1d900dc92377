/// Changes in the order in which they are played, those of one phase in the order in which they come.
struct Changes: Sendable {
  /// When a change is played.
  enum Phase: UInt8 {
    case dismiss, select, take, bring, present, update
  }

  /// The only one, which needs no list.
  private var only: (note: ChangeNote, phase: Phase)?
  /// All, once there are two.
  private var all: [(note: ChangeNote, phase: Phase)] = []
  /// The containers whose children came whole, those that stay among them: what is below them is not told again.
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

  /// How many there are.
  var count: Int { only == nil ? all.count : 1 }

  /// The n-th, from 0.
  subscript(index: Int) -> ChangeNote { only?.note ?? all[index].note }

  /// All of them.
  var inOrder: [ChangeNote] { (0..<count).map { self[$0] } }

  /// Whether a node that stays came whole already, inside the children of a container around it.
  func hold(_ id: NodeID, in state: State) -> Bool {
    guard !whole.isEmpty else { return false }
    var here = id
    while let record = state.nodes.record(here), let parent = record.parentID {
      // A modal hangs on the container itself; it is no child.
      if whole.contains(parent), !state.isPresented(record) { return true }
      here = parent
    }
    return false
  }
}
