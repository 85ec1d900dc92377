/// The difference of two versions of a table, in ascending order of ids.
package struct NodeDifference: Hashable, Sendable {
  /// The nodes that exist only in the newer version.
  package var added: [NodeID]
  /// The nodes that exist only in the older version.
  package var removed: [NodeID]
  /// The nodes that exist in both versions and differ.
  package var changed: [NodeID]

  package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }

  package init(added: [NodeID] = [], removed: [NodeID] = [], changed: [NodeID] = []) {
    self.added = added
    self.removed = removed
    self.changed = changed
  }

  /// The difference between an older version and `nodes`.
  package init(from old: NodeTable, to nodes: NodeTable) {
    self.init()
    Self.forEach(from: old, to: nodes) { now, past in
      switch (now, past) {
      case (let now?, nil): added.append(now.nodeID)
      case (nil, let past?): removed.append(past.nodeID)
      case (let now?, .some): changed.append(now.nodeID)
      case (nil, nil): break
      }
    }
  }

  /// Visits each node that differs from an older version, in ascending order of ids, with its records in both versions. A record is `nil` if the node
  /// does not exist in that version. Skips chunks that both versions share.
  static func forEach(from old: NodeTable, to nodes: NodeTable, _ visit: (_ now: NodeRecord?, _ past: NodeRecord?) -> Void) {
    let slots = nodes.details.shared(with: old.details)
    var (mine, theirs) = (Cursor(), Cursor())
    Cursor.skipShared(&mine, in: nodes.chunks, &theirs, in: old.chunks)
    while true {
      switch (mine.record(in: nodes.chunks), theirs.record(in: old.chunks)) {
      case (nil, nil): return
      case (let now?, let past?) where now.id == past.id:
        if !areEqual(now, in: nodes, past, in: old, sharedSlots: slots) { visit(now, past) }
        mine.advance(in: nodes.chunks)
        theirs.advance(in: old.chunks)
      case (let now?, let past) where past.map({ now.id < $0.id }) ?? true:
        visit(now, nil)
        mine.advance(in: nodes.chunks)
      case (_, let past):
        visit(nil, past)
        theirs.advance(in: old.chunks)
      }
      if mine.index == 0, theirs.index == 0 { Cursor.skipShared(&mine, in: nodes.chunks, &theirs, in: old.chunks) }
    }
  }

  /// Visits the nodes that differ between two versions. Compares only the nodes in `edited`, which must be sorted. `kept` is the number of
  /// leading children that are certainly unchanged; `nil` if the number is unknown.
  @inline(__always)
  static func forEach(
    of edited: borrowing EditedNodes, from old: NodeTable, to nodes: NodeTable,
    _ visit: (_ now: NodeRecord?, _ past: NodeRecord?, _ kept: Int32?) -> Void
  ) {
    for index in 0..<edited.count {
      let edit = edited[index]
      switch (nodes.record(edit.id), old.record(edit.id)) {
      case (let now?, let past?):
        if !areEqual(now, in: nodes, past, in: old, keptChildren: edit.keptChildren) { visit(now, past, edit.keptChildren) }
      // The node was created and destroyed between the two versions.
      case (nil, nil): break
      case (let now, let past): visit(now, past, nil)
      }
    }
  }

  /// Whether a node is equal in both versions. Slots of details below `sharedSlots` are identical in both. `keptChildren` is the number of
  /// leading children that are certainly unchanged.
  static func areEqual(
    _ now: NodeRecord, in nodes: NodeTable, _ past: NodeRecord, in old: NodeTable, sharedSlots: Int = 0, keptChildren: Int32? = nil
  ) -> Bool {
    if nodes.names === old.names {
      guard now.isPlainlyEqual(to: past) else { return false }
    } else {
      guard now.isPlainlyEqual(besideNames: past), now.name == nodes.names.number(old.name(of: past)) ?? -2,
        now.flow == old.flow(of: past).map({ nodes.names.number($0) ?? -2 }) ?? -1
      else { return false }
    }
    guard haveSameChildren(now, in: nodes, past, in: old, kept: keptChildren) else { return false }
    if now.details == past.details, now.details < sharedSlots { return true }
    let (mine, theirs) = (nodes.storedDetails(of: now), old.storedDetails(of: past))
    return mine === theirs || mine ?? .none == theirs ?? .none
  }

  /// Whether a node has the same children in the same order. `kept` is the number of leading children that are unchanged; `nil` if it is
  /// unknown.
  static func haveSameChildren(
    _ now: NodeRecord, in nodes: NodeTable, _ past: NodeRecord, in old: NodeTable, kept: Int32? = nil
  ) -> Bool {
    if let kept, kept >= past.childCount { return now.childCount == past.childCount }
    guard now.childCount == past.childCount, now.firstChild == past.firstChild, now.lastChild == past.lastChild else { return false }
    // With at most two children, the first and the last are all children.
    guard now.childCount > 2, var mine = nodes.record(now.firstChild), var theirs = old.record(past.firstChild) else { return true }
    while let next = nodes.record(mine.next), let other = old.record(theirs.next) {
      guard next.id == other.id else { return false }
      (mine, theirs) = (next, other)
    }
    return true
  }

  /// A position in a table that advances from record to record.
  private struct Cursor {
    var chunk = 0
    var index = 0

    func record(in chunks: NodeChunks) -> NodeRecord? {
      chunk < chunks.chunkCount ? chunks[NodeChunks.Place(chunk: chunk, index: index)] : nil
    }

    mutating func advance(in chunks: NodeChunks) {
      index += 1
      if index == chunks[chunk]?.count { (chunk, index) = (chunk + 1, 0) }
    }

    /// Skips chunks that are identical in both tables. Both cursors must be at the start of a chunk.
    static func skipShared(_ mine: inout Cursor, in chunks: NodeChunks, _ theirs: inout Cursor, in old: NodeChunks) {
      while mine.chunk < chunks.chunkCount, theirs.chunk < old.chunkCount,
        let chunk = chunks[mine.chunk], let other = old[theirs.chunk], chunk === other
      {
        mine.chunk += 1
        theirs.chunk += 1
      }
    }
  }
}
