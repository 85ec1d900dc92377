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
        let isSame = now.isSame(as: past) && Int(now.children) < slots.children && Int(now.details) < slots.details
        if !isSame, !isEqual(now, past, in: old) { visit(now, past) }
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

  private func isEqual(_ now: NodeRecord, _ past: NodeRecord, in old: NodeTable) -> Bool {
    if names === old.names {
      guard now.isPlainlyEqual(to: past) else { return false }
    } else {
      var renamed = past
      renamed.name = names.number(old.name(of: past)) ?? -2
      renamed.flow = old.flow(of: past).map { names.number($0) ?? -2 } ?? -1
      guard now.isPlainlyEqual(to: renamed) else { return false }
    }
    return children(of: now) == old.children(of: past) && details(of: now) == old.details(of: past)
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
      if index == table.count(ofChunk: chunk) { (chunk, index) = (chunk + 1, 0) }
    }

    /// Both stand at the beginning of a chunk: goes over those that are one and the same in both tables.
    static func skipShared(_ mine: inout Cursor, in table: NodeTable, _ theirs: inout Cursor, in old: NodeTable) {
      while mine.chunk < table.chunkCount, theirs.chunk < old.chunkCount,
        table.identity(ofChunk: mine.chunk) == old.identity(ofChunk: theirs.chunk)
      {
        mine.chunk += 1
        theirs.chunk += 1
      }
    }
  }
}
