// Lifts the covers that a user has not seen off the tree while this user's action runs, and then puts them on top again. The nodes stay in the table
// and keep their parents, so conditions still find them. Only the visible path does not contain them.
extension Run {
  /// Lifts the covers of the stamp off the tree, and returns them, the frontmost first; `nil` if no cover can be lifted. `from` is the node on which the user
  /// acted.
  @inline(never)
  mutating func lift(from: NodeID?) -> [Lifted]? {
    let covers = stamp.covers
    var lifted: [Lifted] = []
    lifted.reserveCapacity(covers.count)
    for cover in covers.reversed() {
      guard let record = state.nodes.record(cover.node), state.stands(record), let parent = record.parentID,
        let kind = Lifted.Kind(record, in: state)
      else { continue }
      switch kind {
      case .tab:
        // The tab stays selected if the user acted inside it, because the user has then selected it too. It also stays selected if the user acted on
        // the tab container itself (`from`), because the action then selects a tab.
        guard let tab = cover.tab, let before = state.nodes.record(tab), before.parent == record.parent, let from, from != parent,
          !state.ancestors(of: from, acrossModals: true).contains(cover.node)
        else { continue }
        let index = Siblings.index(of: before, in: state.nodes)
        state.nodes.update(parent) { $0.selected = Int32(index) }
      // The record keeps its level, so that `setLevel` can put the modal back.
      case .level: state.nodes.books.value.modals.remove(cover.node)
      case .modal: state.nodes.setPresented(nil, on: parent)
      case .page: state.nodes.unlink(cover.node)
      }
      lifted.append(Lifted(cover, kind))
    }
    isLifting = !lifted.isEmpty
    return isLifting ? lifted : nil
  }

  /// Puts the lifted covers on top again, the lowest first. A cover whose flow has ended is removed.
  @inline(never)
  mutating func putBack(_ covers: [Lifted]) throws(Refusal) {
    isLifting = false
    var left = Array(covers.reversed())
    while !left.isEmpty {
      // A cover inside another lifted cover, such as a modal that was moved there, is put back after that cover.
      let lifted = left.remove(at: left.firstIndex { one in !isInside(one.cover.node, left) } ?? 0)
      let cover = lifted.cover
      guard let record = state.nodes.record(cover.node), let parent = record.parentID else { continue }
      switch lifted.kind {
      case .tab:
        guard let tabs = state.nodes.record(parent), state.front(of: tabs) == cover.tab else { continue }
        let index = Siblings.index(of: record, in: state.nodes)
        state.nodes.update(parent) { $0.selected = Int32(index) }
      case .level:
        let isTaken = state.nodes.levels.contains { self.state.nodes.record($0)?.level == record.level }
        state.nodes.setLevel(record.level, waits: isTaken, of: cover.node)
      case .modal: hang(record)
      case .page:
        guard state.stands(parent) else {
          Removal.leave(&self, cover.node)
          continue
        }
        state.nodes.link(cover.node, to: parent)
      }
    }
    Levels.removeOrphans(&self)
    try drain()
  }

  /// Whether a node is inside one of the given covers, except tabs.
  private func isInside(_ node: NodeID, _ covers: [Lifted]) -> Bool {
    state.ancestors(of: node, acrossModals: true).dropFirst().contains { id in
      covers.contains { $0.cover.node == id && $0.kind != .tab }
    }
  }

  /// Presents a lifted modal in front of all modals of its window.
  private mutating func hang(_ modal: NodeRecord) {
    let id = modal.nodeID
    guard let owner = modal.ownerID, state.isAlive(flow: owner), state.stands(owner) else { return Removal.leave(&self, id) }
    let former = modal.parentID.flatMap { state.stands($0) ? $0 : nil }
    // The user may have presented a modal on the same node. In this case, a container of that node presents the lifted modal, so that
    // neither modal is removed together with the other.
    let free = former.flatMap { state.ancestors(of: $0, acrossModals: false).first { state.nodes.record($0)?.presented == 0 } }
    let window = former.flatMap { state.nodes.record($0) }.flatMap { Levels.window(state, of: $0)?.nodeID }
    let presenter = free ?? state.frontLayer(over: window ?? state.root)
    state.nodes.update(id) {
      $0.parent = NodeRecord.number(presenter)
      if $0.on != 0, presenter != former { $0.on = $0.parent }
    }
    if let newest = state.nodes.modals.last, (state.nodes.record(newest)?.frontOrder ?? 0) > modal.frontOrder {
      let order = NodeID(state.nextNode)
      state.nextNode += 1
      state.nodes.update(id) { $0.order = NodeRecord.number(order) }
    }
    state.nodes.setPresented(id, on: presenter)
  }
}

/// A cover that is lifted off the tree.
struct Lifted {
  let cover: Cover
  let kind: Kind

  /// The kind of a cover, which determines how it is lifted off and put back.
  enum Kind {
    case modal, page, tab, level

    /// The kind of a node in its present position; `nil` if the node is not on top of other nodes.
    fileprivate init?(_ record: NodeRecord, in state: borrowing State) {
      guard let parent = record.parentID.flatMap({ state.nodes.record($0) }), !record.isOverlay, !record.waits else { return nil }
      if record.level != 0 {
        self = .level
      } else if record.isPresented(in: state.nodes) {
        guard let window = Levels.window(state, of: record), state.frontLayer(over: window.nodeID) == record.nodeID else { return nil }
        self = .modal
      } else if parent.kind == .tabs {
        guard state.front(of: parent) == record.nodeID else { return nil }
        self = .tab
      } else if parent.kind == .stack, parent.lastChild == record.id, parent.childCount > 1 {
        self = .page
      } else {
        return nil
      }
    }
  }

  init(_ cover: Cover, _ kind: Kind) { (self.cover, self.kind) = (cover, kind) }
}

extension Action {
  /// The node that the user saw when acting (`from`); `nil` if the action contains no such node.
  package var origin: NodeID? {
    switch self {
    case .step(_, let from), .gesture(_, let from): from
    default: nil
    }
  }
}
