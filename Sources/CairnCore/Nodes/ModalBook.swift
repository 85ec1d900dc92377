/// The modals and overlays of a table: modals on nodes, modals on levels, overlays, and modals and overlays that wait.
struct ModalBook: Sendable {
  /// The modals that are presented on another node, the frontmost last. `orders` contains the number that determines the position of each
  /// (`NodeRecord.frontOrder`).
  private(set) var presented: [NodeID] = []
  private var orders: [Int32] = []
  /// The modals on levels, the lowest level first. `numbers` contains their levels.
  private(set) var levels: [NodeID] = []
  private var numbers: [Int] = []
  /// The overlays that are shown, in ascending order of ids.
  private(set) var overlays: [NodeID] = []
  /// The modals that wait for their level, and the overlays that wait for their slot, the oldest first.
  private(set) var waiting: [NodeID] = []
  /// Whether the book contains neither modals nor overlays.
  private(set) var isEmpty = true

  /// Adds a modal that is presented on another node. If the book already contains the modal, moves it.
  mutating func add(_ id: NodeID, order: Int32) {
    remove(id)
    let index = orders.firstIndex { order < $0 } ?? orders.count
    presented.insert(id, at: index)
    orders.insert(order, at: index)
    isEmpty = false
  }

  /// Adds an overlay, a modal that is on the level of its record, or a waiting node of either kind. If the book already contains the node, moves it.
  mutating func add(_ record: NodeRecord) {
    let id = record.nodeID
    remove(id)
    if record.waits {
      waiting.insert(id, at: waiting.firstIndex { id < $0 } ?? waiting.count)
    } else if record.isOverlay {
      overlays.insert(id, at: overlays.firstIndex { id < $0 } ?? overlays.count)
    } else {
      let index = numbers.firstIndex { record.level < $0 } ?? numbers.count
      levels.insert(id, at: index)
      numbers.insert(record.level, at: index)
    }
    isEmpty = false
  }

  /// Removes a modal or an overlay, if the book contains it.
  mutating func remove(_ id: NodeID) {
    if let index = presented.firstIndex(of: id) {
      presented.remove(at: index)
      orders.remove(at: index)
    }
    if let index = overlays.firstIndex(of: id) { overlays.remove(at: index) }
    if let index = waiting.firstIndex(of: id) { waiting.remove(at: index) }
    if let index = levels.firstIndex(of: id) {
      levels.remove(at: index)
      numbers.remove(at: index)
    }
    isEmpty = presented.isEmpty && levels.isEmpty && overlays.isEmpty && waiting.isEmpty
  }
}

extension NodeRecord {
  /// The modal that the node presents; `nil` if this modal is now on a level or presented by another node.
  func ownModal(in nodes: NodeTable) -> NodeID? {
    guard let modal = nodes.record(presented) else { return presentedID }
    let hasMoved = modal.level != 0 || modal.parent != id && nodes.record(modal.parent)?.presented == modal.id
    return hasMoved ? nil : modal.nodeID
  }
}
