/// The covers that the entries after a revision have put over the pages that a client has seen, in the order of their arrival.
package struct CoverBook: Sendable {
  private var rows: [CoverRow] = []
  /// Maximum number of covers. Beyond it, the oldest ones are dropped, and the actions of a client that has not seen them are judged as if it had.
  private static let limit = 256

  package init() {}

  /// Notes an entry that leads from one state to the next. An entry of the client itself adds no covers. Nor do the nodes in `own`, which its
  /// actions have created.
  package mutating func note(from old: borrowing State, to new: borrowing State, isOwn: Bool, except own: [NodeID] = []) {
    for index in rows.indices.reversed() where !new.stands(rows[index].cover.node) { rows.remove(at: index) }
    guard !isOwn else { return }
    for record in new.nodes.records {
      guard let cover = Cover(record, from: old, to: new), !own.contains(cover.node) else { continue }
      rows.removeAll { $0.cover.node == cover.node }
      rows.append(CoverRow(revision: WideInt(new.revision), cover: cover))
    }
    if rows.count > Self.limit { rows.removeFirst(rows.count - Self.limit) }
  }

  /// The covers of the entries after a revision.
  package func covers(since revision: Int) -> [Cover] { rows.filter { $0.revision > WideInt(revision) }.map { $0.cover } }

  /// Drops the covers of the entries up to a revision.
  package mutating func forget(through revision: Int) { rows.removeAll { $0.revision <= WideInt(revision) } }

  /// Writes the covers for `init(reading:)`, as a list.
  func write(to writer: inout JSONWriter) { [CoverRow].write(rows, &writer) }

  init(reading element: JSONElement) throws(UnreadableFormat) { rows = try [CoverRow](reading: element) }
}

/// A cover and the revision that it came with.
struct CoverRow: Sendable {
  var revision: WideInt
  var cover: Cover
}

extension Cover {
  /// The cover that an entry has made of a node; `nil` if the node covers nothing that stood before, or if it is sealed.
  fileprivate init?(_ record: NodeRecord, from old: borrowing State, to new: borrowing State) {
    let (id, past) = (record.nodeID, old.nodes.record(record.nodeID))
    guard let parent = record.parentID, new.stands(record), !record.isOverlay else { return nil }
    // A modal that waits is a cover too: an action of the user may free its level.
    if let past, old.stands(past), past.waits == record.waits {
      // A tab from before the entry can only have been selected.
      guard let tabs = new.nodes.record(parent), tabs.kind == .tabs, new.front(of: tabs) == id, let before = old.nodes.record(parent),
        let tab = old.front(of: before), tab != id, new.nodes.record(tab)?.parentID == parent
      else { return nil }
      self.init(id, over: tab)
      return
    }
    guard !record.isSealed else { return nil }
    guard record.level != 0 || old.stands(parent) else { return nil }
    if !record.isPresented(in: new.nodes) {
      // A page covers the one that was on top, unless the entry has removed that.
      guard let stack = old.nodes.record(parent), stack.kind == .stack, stack.lastChild != 0 else { return nil }
      var below = new.nodes.record(record.previous)
      while let here = below, here.id != stack.lastChild {
        guard old.nodes.record(here.nodeID) == nil else { return nil }
        below = new.nodes.record(here.previous)
      }
      guard below != nil else { return nil }
    }
    self.init(id)
  }
}
