/// What is not the same in two versions of a table, ascending by id.
struct NodeDifference: Hashable, Sendable {
  /// In the newer one alone.
  var added: [NodeID] = []
  /// In the older one alone.
  var removed: [NodeID] = []
  /// In both, and not equal.
  var changed: [NodeID] = []

  var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty }
}

extension NodeTable {
  /// What is different here from an older version. Chunks that both share are passed over.
  func difference(from old: NodeTable) -> NodeDifference {
    var difference = NodeDifference()
    var mine = Cursor(chunks)
    var theirs = Cursor(old.chunks)
    while true {
      mine.skip(with: &theirs)
      switch (mine.record, theirs.record) {
      case (nil, nil): return difference
      case (let record?, nil):
        difference.added.append(record.nodeID)
        mine.advance()
      case (nil, let record?):
        difference.removed.append(record.nodeID)
        theirs.advance()
      case (let new?, let past?):
        if new.id == past.id {
          if !isEqual(new, past, in: old) { difference.changed.append(new.nodeID) }
          mine.advance()
          theirs.advance()
        } else if new.id < past.id {
          difference.added.append(new.nodeID)
          mine.advance()
        } else {
          difference.removed.append(past.nodeID)
          theirs.advance()
        }
      }
    }
  }

  private func isEqual(_ new: NodeRecord, _ past: NodeRecord, in old: NodeTable) -> Bool {
    if names === old.names {
      guard new.isPlainlyEqual(to: past) else { return false }
    } else {
      var renamed = past
      renamed.name = names.number(old.name(of: past)) ?? -2
      renamed.flow = old.flow(of: past).map { names.number($0) ?? -2 } ?? -1
      guard new.isPlainlyEqual(to: renamed) else { return false }
    }
    return children(of: new) == old.children(of: past) && details(of: new) == old.details(of: past)
  }

  /// A place in a table that goes from record to record.
  private struct Cursor {
    private let chunks: [[NodeRecord]]
    private var chunk = 0
    private var index = 0

    init(_ chunks: [[NodeRecord]]) { self.chunks = chunks }

    var record: NodeRecord? { chunk < chunks.count ? chunks[chunk][index] : nil }

    mutating func advance() {
      index += 1
      if index == chunks[chunk].count { (chunk, index) = (chunk + 1, 0) }
    }

    /// Goes over the chunks that begin here in both and are one and the same.
    mutating func skip(with other: inout Cursor) {
      while index == 0, other.index == 0, chunk < chunks.count, other.chunk < other.chunks.count,
        Self.isShared(chunks[chunk], other.chunks[other.chunk])
      {
        chunk += 1
        other.chunk += 1
      }
    }

    private static func isShared(_ one: [NodeRecord], _ other: [NodeRecord]) -> Bool {
      one.count == other.count
        && one.withUnsafeBufferPointer { mine in other.withUnsafeBufferPointer { mine.baseAddress == $0.baseAddress } }
    }
  }
}
