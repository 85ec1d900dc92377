/// What is not the same in two versions of a table, ascending by id.
package struct NodeDifference: Hashable, Sendable {
  /// In the newer one alone.
  package var added: [NodeID] = []
  /// In the older one alone.
  package var removed: [NodeID] = []
  /// In both, and not equal.
  package var changed: [NodeID] = []

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}

extension NodeTable {
  /// What is different here from an older version.
  package func difference(from old: NodeTable) -> NodeDifference {
    var difference = NodeDifference()
    compare(with: old) { now, past in
      switch (now, past) {
      case (let now?, nil): difference.added.append(now.nodeID)
      case (nil, let past?): difference.removed.append(past.nodeID)
      case (let now?, .some): difference.changed.append(now.nodeID)
      case (nil, nil): break
      }
    }
    return difference
  }

  /// Visits each node that is not equal in an older version, ascending by id, with its record now and then; nil where it is not there.
  /// Chunks that both share are passed over.
  func compare(with old: NodeTable, _ visit: (_ now: NodeRecord?, _ past: NodeRecord?) -> Void) {
    let slots = sharedSlots(with: old)
    var (mine, theirs) = (Cursor(), Cursor())
    Cursor.skipShared(&mine, in: self, &theirs, in: old)
    while true {
      switch (mine.record(in: self), theirs.record(in: old)) {
      case (nil, nil): return
      case (let now?, let past?) where now.id == past.id:
        if !isEqual(now, past, in: old, sharedSlots: slots) { visit(now, past) }
        mine.advance(in: self)
        theirs.advance(in: old)
      case (let now?, let past) where past.map({ now.id < $0.id }) ?? true:
        visit(now, nil)
        mine.advance(in: self)
      case (_, let past):
        visit(nil, past)
        theirs.advance(in: old)
      }
      if mine.index == 0, theirs.index == 0 { Cursor.skipShared(&mine, in: self, &theirs, in: old) }
    }
  }

  /// Whether a node is the same as in an older version. `sharedSlots`: the slots of details below it are one and the same in both;
  /// `keptChildren`: so many of its first children are the same for sure.
  func isEqual(
    _ now: NodeRecord, _ past: NodeRecord, in old: NodeTable, sharedSlots: Int = 0, keptChildren: Int32? = nil
  ) -> Bool {
    if names === old.names {
      guard now.isPlainlyEqual(to: past) else { return false }
    } else {
      guard now.isPlainlyEqual(besideNames: past), now.name == names.number(old.name(of: past)) ?? -2,
        now.flow == old.flow(of: past).map({ names.number($0) ?? -2 }) ?? -1
      else { return false }
    }
    guard hasSameChildren(now, past, in: old, kept: keptChildren) else { return false }
    if now.details == past.details, now.details < sharedSlots { return true }
    let (mine, theirs) = (storedDetails(of: now), old.storedDetails(of: past))
    return mine === theirs || mine ?? .none == theirs ?? .none
  }

  /// Whether a node has the children that it had in an older version, in the same order. `kept`: so many of its first children are the same
  /// for sure; nil: nobody knows.
  func hasSameChildren(_ now: NodeRecord, _ past: NodeRecord, in old: NodeTable, kept: Int32? = nil) -> Bool {
    if let kept, kept >= past.childCount { return now.childCount == past.childCount }
    guard now.childCount == past.childCount, now.firstChild == past.firstChild, now.lastChild == past.lastChild else { return false }
    // Of two both are known.
    guard now.childCount > 2, var mine = record(now.firstChild), var theirs = old.record(past.firstChild) else { return true }
    while let next = record(mine.next), let other = old.record(theirs.next) {
      guard next.id == other.id else { return false }
      (mine, theirs) = (next, other)
    }
    return true
  }

  /// A place in a table that goes from record to record.
  private struct Cursor {
    var chunk = 0
    var index = 0

    func record(in table: NodeTable) -> NodeRecord? {
      chunk < table.chunkCount ? table[Place(chunk: chunk, index: index)] : nil
    }

    mutating func advance(in table: NodeTable) {
      index += 1
      if index == table.chunk(chunk)?.count { (chunk, index) = (chunk + 1, 0) }
    }

    /// Both stand at the beginning of a chunk: goes over those that are one and the same in both tables.
    static func skipShared(_ mine: inout Cursor, in table: NodeTable, _ theirs: inout Cursor, in old: NodeTable) {
      while mine.chunk < table.chunkCount, theirs.chunk < old.chunkCount,
        let chunk = table.chunk(mine.chunk), let other = old.chunk(theirs.chunk), chunk === other
      {
        mine.chunk += 1
        theirs.chunk += 1
      }
    }
  }
}
