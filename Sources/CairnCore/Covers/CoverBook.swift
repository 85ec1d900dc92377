/// The covers that entries have put over the pages that a client has seen, each with the revision of its entry. A cover precedes the covers
/// above it.
package struct CoverBook: Sendable {
  private var rows: [CoverRow] = []
  /// Maximum number of covers. If there are more, the lowest ones are dropped, and the client's actions run as if its user had seen the dropped covers.
  private static let limit = 256

  package init() {}

  /// Records the covers that an entry has added, and drops those that it has removed from the tree. `old` and `new` are the states before
  /// and after the entry. An entry of the client itself (`isOwn`) adds no covers. The nodes in `own` are not covers either, because the
  /// client's actions have created them.
  package mutating func note(from old: borrowing State, to new: borrowing State, isOwn: Bool, except own: [NodeID] = []) {
    var gone: [CoverRow] = []
    for index in rows.indices.reversed() where !new.stands(rows[index].cover.node) { gone.append(rows.remove(at: index)) }
    guard !isOwn else { return }
    for record in new.nodes.records {
      var row = CoverRow(revision: WideInt(new.revision), cover: Cover(record.nodeID))
      guard row.covers(record, from: old, to: new, inPlaceOf: gone), !own.contains(row.cover.node) else { continue }
      rows.removeAll { $0.cover.node == row.cover.node }
      // A late action of another client may have put its page or modal under covers that are already recorded.
      let place = rows.firstIndex { new.nodes.record($0.cover.node).map { $0.isAbove(record, in: new.nodes) } ?? false }
      rows.insert(row, at: place ?? rows.count)
    }
    if rows.count > Self.limit { rows.removeFirst(rows.count - Self.limit) }
  }

  /// The covers of the entries after a revision.
  package func covers(since revision: Int) -> [Cover] { rows.compactMap { $0.revision > WideInt(revision) ? $0.cover : nil } }

  /// Drops the covers of the entries up to a revision.
  package mutating func forget(through revision: Int) { rows.removeAll { $0.revision <= WideInt(revision) } }

  /// Writes the covers as a list, which `init(reading:)` reads.
  func write(to writer: inout JSONWriter) { [CoverRow].write(rows, &writer) }

  init(reading element: JSONElement) throws(UnreadableFormat) { rows = try [CoverRow](reading: element) }
}

/// A cover and the revision of the entry that added it.
struct CoverRow: Sendable {
  var revision: WideInt
  var cover: Cover
}

extension CoverRow {
  /// Completes the row of a node that an entry may have put over other nodes. Returns `false` if the node covers no node that was in the
  /// tree before the entry, or if the node is sealed. `gone` contains the covers that the entry has removed.
  fileprivate mutating func covers(_ record: NodeRecord, from old: borrowing State, to new: borrowing State, inPlaceOf gone: [CoverRow])
    -> Bool
  {
    let (id, past) = (record.nodeID, old.nodes.record(record.nodeID))
    guard let parent = record.parentID, new.stands(record), !record.isOverlay else { return false }
    // A node that was already in the tree is a new cover only if it has begun or ceased to wait. A waiting modal counts as a cover, because an action
    // may free its level.
    if let past, old.stands(past), past.waits == record.waits {
      // If the node is a tab that existed before, the entry can only have selected it.
      guard let tabs = new.nodes.record(parent), tabs.kind == .tabs, new.front(of: tabs) == id, let before = old.nodes.record(parent),
        let tab = old.front(of: before), tab != id, new.nodes.record(tab)?.parentID == parent
      else { return false }
      cover.tab = tab
      return true
    }
    guard !record.isSealed, record.level != 0 || old.stands(parent) else { return false }
    if !record.isPresented(in: new.nodes) {
      // A page covers the pages below it, unless the entry has removed the page that was directly below its position. Only other new pages
      // may lie between it and the covered pages.
      var (below, above) = (new.nodes.record(record.previous), new.nodes.record(record.next))
      while let page = below, old.nodes.record(page.nodeID) == nil { below = new.nodes.record(page.previous) }
      while let page = above, old.nodes.record(page.nodeID) == nil { above = new.nodes.record(page.next) }
      guard let stack = old.nodes.record(parent), stack.kind == .stack, let below else { return false }
      var top = above.flatMap { old.nodes.record($0.nodeID) }?.previous ?? stack.lastChild
      // If the user had not seen the removed page either, the user still sees the page below it.
      while let page = gone.first(where: { NodeRecord.number($0.cover.node) == top }) {
        revision = min(revision, page.revision)
        top = old.nodes.record(page.cover.node)?.previous ?? 0
      }
      guard top == below.id else { return false }
    }
    return true
  }
}

extension NodeRecord {
  /// Whether the node is a page above `other` on the same stack, or a modal in front of it.
  fileprivate func isAbove(_ other: NodeRecord, in nodes: NodeTable) -> Bool {
    guard level == 0, other.level == 0 else { return false }
    guard isPresented(in: nodes) else {
      var next = parent == other.parent ? nodes.record(other.next) : nil
      while let page = next, page.id != id { next = nodes.record(page.next) }
      return next != nil
    }
    return other.isPresented(in: nodes) && frontOrder > other.frontOrder
  }
}
