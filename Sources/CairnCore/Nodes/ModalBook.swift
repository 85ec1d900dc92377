/// Which nodes of a table lie over others: on a node, on a level, or waiting for one.
struct ModalBook: Sendable {
  /// The modals that are presented on another node, ascending.
  private(set) var presented: [NodeID] = []
  /// The modals that are presented on a level, the lowest first, and their levels.
  private(set) var levels: [NodeID] = []
  private var numbers: [Int] = []
  /// The modals that wait for their level, the oldest first.
  private(set) var waiting: [NodeID] = []
  /// There is none of all these.
  private(set) var isEmpty = true

  /// Notes that a node is presented on another one.
  mutating func add(_ id: NodeID) {
    presented.insert(id, at: presented.firstIndex { id < $0 } ?? presented.count)
    isEmpty = false
  }

  /// Notes that a node is on the level that its record says, or waits for it.
  mutating func add(_ record: NodeRecord) {
    let id = record.nodeID
    if record.waits {
      waiting.insert(id, at: waiting.firstIndex { id < $0 } ?? waiting.count)
    } else {
      let index = numbers.firstIndex { record.level < $0 } ?? numbers.count
      levels.insert(id, at: index)
      numbers.insert(record.level, at: index)
    }
    isEmpty = false
  }

  /// Forgets a node.
  mutating func remove(_ id: NodeID) {
    presented.removeAll { $0 == id }
    waiting.removeAll { $0 == id }
    if let index = levels.firstIndex(of: id) {
      levels.remove(at: index)
      numbers.remove(at: index)
    }
    isEmpty = presented.isEmpty && levels.isEmpty && waiting.isEmpty
  }
}
