/// Records in ascending order of ids, in chunks that are never empty. Versions of a table share chunks: a copy costs a few pointers, and a
/// change copies only the chunk that it affects.
struct NodeChunks: Sendable {
  private var earlier: [NodeChunk] = []
  /// The last chunk, separate from the others because most actions change only this one; `nil` if there are no chunks.
  private var last: NodeChunk?
  private(set) var count = 0

  /// The position of a record.
  struct Place {
    var chunk: Int
    var index: Int
  }

  var chunkCount: Int { last == nil ? 0 : earlier.count + 1 }

  /// The chunk at an index below `chunkCount`.
  subscript(index: Int) -> NodeChunk? { index < earlier.count ? earlier[index] : last }

  /// The position of a node's record; `nil` if there is none.
  func place(of number: Int32) -> Place? {
    guard let last else { return nil }
    if earlier.isEmpty || last.base[0].id <= number {
      return last.index(of: number).map { Place(chunk: earlier.count, index: $0) }
    }
    var (low, high) = (0, earlier.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if earlier[middle].base[0].id <= number { low = middle } else { high = middle - 1 }
    }
    return earlier[low].index(of: number).map { Place(chunk: low, index: $0) }
  }

  /// The record at a valid position.
  subscript(place: Place) -> NodeRecord {
    guard place.chunk < earlier.count else { return last.unsafelyUnwrapped.base[place.index] }
    return earlier[place.chunk].base[place.index]
  }

  /// The record with the highest id; `nil` if there are no records.
  var newest: NodeRecord? { last?.last }

  /// A pointer to a record, whose chunk is copied if another table references it. Valid until the next change.
  mutating func pointer(to place: Place) -> UnsafeMutablePointer<NodeRecord> {
    if place.chunk < earlier.count {
      if !earlier[place.chunk].isUnique() { earlier[place.chunk] = earlier[place.chunk].copy() }
      return earlier[place.chunk].base + place.index
    }
    if last?.isUnique() == false { last = last?.copy() }
    return last.unsafelyUnwrapped.base + place.index
  }

  /// Changes the record of a node. Does nothing for 0 and for unknown nodes.
  mutating func change(_ number: Int32, _ change: (inout NodeRecord) -> Void) {
    guard number != 0, let place = place(of: number) else { return }
    change(&pointer(to: place).pointee)
  }

  /// Changes all records in order.
  mutating func changeAll(_ change: (inout NodeRecord) -> Void) {
    for chunk in 0..<chunkCount {
      for index in 0..<(self[chunk]?.count ?? 0) { change(&pointer(to: Place(chunk: chunk, index: index)).pointee) }
    }
  }

  /// Appends a record. Its id must be higher than all others.
  mutating func append(_ record: NodeRecord) {
    if last.map({ $0.count >= NodeChunk.size }) ?? true {
      if let full = last { earlier.append(full) }
      last = NodeChunk(capacity: earlier.isEmpty ? NodeChunk.size / 2 : NodeChunk.size)
    } else if last?.isUnique() == false || last?.isFull == true {
      last = last?.copy(adding: 1)
    }
    last?.append(record)
    count += 1
  }

  /// Inserts a record at the position of its id. Rebuilds all chunks, unless the id is the highest; the engine itself only appends records.
  mutating func insert(_ record: NodeRecord) {
    guard let newest, newest.id > record.id else { return append(record) }
    var all = Array(NodeRecords(self))
    all.insert(record, at: all.firstIndex { $0.id > record.id } ?? all.count)
    self = NodeChunks()
    for record in all {
      if let full = last, full.count == NodeChunk.size {
        earlier.append(full)
        last = nil
      }
      if last == nil { last = NodeChunk(capacity: NodeChunk.size) }
      last?.append(record)
    }
    count = all.count
  }

  mutating func remove(at place: Place) {
    count -= 1
    // `pointer` copies the chunk if other versions share it.
    _ = pointer(to: place)
    if place.chunk < earlier.count {
      earlier[place.chunk].remove(at: place.index)
      join(place.chunk)
    } else if let newest = last {
      newest.remove(at: place.index)
      if newest.count == 0 { last = earlier.popLast() } else if !earlier.isEmpty { join(earlier.count - 1) }
    }
  }

  /// Joins a small chunk with a small neighbor, so that the number of chunks stays proportional to the number of nodes.
  private mutating func join(_ index: Int) {
    guard earlier[index].count > 0 else {
      earlier.remove(at: index)
      return
    }
    if index > 0, earlier[index - 1].count + earlier[index].count <= NodeChunk.size / 2 {
      earlier[index - 1] = Self.joined(earlier[index - 1], earlier[index])
      earlier.remove(at: index)
    } else if index + 1 < earlier.count {
      guard earlier[index].count + earlier[index + 1].count <= NodeChunk.size / 2 else { return }
      earlier[index] = Self.joined(earlier[index], earlier[index + 1])
      earlier.remove(at: index + 1)
    } else if let newest = last, earlier[index].count + newest.count <= NodeChunk.size / 2 {
      last = Self.joined(earlier.removeLast(), newest)
    }
  }

  private static func joined(_ one: NodeChunk, _ other: NodeChunk) -> NodeChunk {
    let both = one.copy(adding: other.count)
    for index in 0..<other.count { both.append(other.base[index]) }
    return both
  }
}

/// The records of a table in ascending order of ids.
struct NodeRecords: Sequence, IteratorProtocol {
  private let chunks: NodeChunks
  private var place = NodeChunks.Place(chunk: 0, index: 0)

  init(_ chunks: NodeChunks) { self.chunks = chunks }

  mutating func next() -> NodeRecord? {
    guard place.chunk < chunks.chunkCount, let chunk = chunks[place.chunk] else { return nil }
    let record = chunk.base[place.index]
    place.index += 1
    if place.index == chunk.count { place = NodeChunks.Place(chunk: place.chunk + 1, index: 0) }
    return record
  }
}
