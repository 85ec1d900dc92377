/// The heads of recently changed sessions. The table of heads is written later than the entries, in slices that are added to commits.
/// Changed heads are collected as a generation. A generation that is large enough is closed, and then written slice by slice. The last
/// slice also moves the mark `flushed`. After a crash, a start scans only the entries after this mark.
struct Heads {
  /// The numbers of the next session, the next entry and the next response. Numbers are never reused, even after deletions.
  private(set) var nextSession: Int
  private(set) var nextEntry: Int
  private(set) var nextResponse: Int
  /// The newest entry or deletion whose commit is on disk.
  private(set) var committed: NewestEntry
  private var changed: [String: Head]
  /// The heads of the closed generation that are not written yet. The next head to write is at the end.
  private var closed: [(id: String, head: Head)] = []
  private var closedHeads: [String: Head] = [:]
  /// The newest entry at the time when the generation was closed.
  private var closedEntry = 0
  /// The value of the mark `flushed` on disk.
  private(set) var flushed: Int

  /// The number of entries after the mark at which a generation is closed. A start can scan this many entries quickly. With a million sessions, each written
  /// page contains several changed heads.
  private static let generation = 100_000

  /// Creates the heads at a start. `changed` contains the heads of sessions with entries after the mark.
  init(nextSession: Int, nextResponse: Int, newest: NewestEntry, flushed: Int, changed: [String: Head]) {
    self.nextSession = nextSession
    self.nextResponse = nextResponse
    nextEntry = newest.entry + 1
    committed = newest
    self.flushed = flushed
    self.changed = changed
  }

  /// The heads that are written with one commit.
  struct Slice {
    var heads: [(id: String, head: Head)]
    /// The new value of the mark, if this is the last slice of the generation.
    var mark: Int?
  }

  /// The head of a session; `nil` if the head in the table is current.
  subscript(id: String) -> Head? { changed[id] ?? closedHeads[id] }

  /// All heads that are newer than those in the table.
  var unwritten: [String: Head] { closedHeads.merging(changed) { $1 } }

  mutating func newSession() -> Int {
    defer { nextSession += 1 }
    return nextSession
  }

  mutating func newEntry() -> Int {
    defer { nextEntry += 1 }
    return nextEntry
  }

  mutating func newResponse() -> Int {
    defer { nextResponse += 1 }
    return nextResponse
  }

  /// Records the new head of a session after the commit of its entries.
  mutating func move(_ id: String, to head: Head) {
    changed[id] = head
    if head.entry > committed.entry { committed = NewestEntry(entry: head.entry, hash: head.hash) }
  }

  /// Removes the head of a deleted session after the commit. The deletion has used the newest number.
  mutating func forget(_ id: String) {
    changed[id] = nil
    closedHeads[id] = nil
    noteErasure()
  }

  /// Records that the newest number was used for an erasure.
  mutating func noteErasure() { committed = NewestEntry(entry: nextEntry - 1, hash: 0) }

  /// Returns at most `count` heads of the closed generation, to write with the next commit. If no generation is closed, closes one when enough entries follow
  /// the mark; otherwise returns `nil`.
  mutating func slice(_ count: Int) -> Slice? {
    if closed.isEmpty { close() }
    guard !closed.isEmpty else { return nil }
    return Slice(heads: closed.suffix(count).reversed(), mark: closed.count <= count ? closedEntry : nil)
  }

  /// Whether a head of the closed generation must still be written. This is not necessary if the session has newer entries, which are after
  /// the mark, or has been deleted.
  func isWanted(_ id: String) -> Bool { closedHeads[id] != nil && changed[id] == nil }

  /// Removes the heads of a slice after its commit.
  mutating func wrote(_ slice: Slice) {
    for (id, _) in slice.heads { closedHeads[id] = nil }
    closed.removeLast(slice.heads.count)
    if let mark = slice.mark { flushed = mark }
  }

  private mutating func close() {
    guard !changed.isEmpty, nextEntry - flushed > Self.generation else { return }
    closedEntry = nextEntry - 1
    closedHeads = changed
    // Sorted by descending session number. A slice is taken from the end, so it touches few pages of the table, and its removal is cheap.
    closed = changed.map { ($0.key, $0.value) }.sorted { $0.1.number > $1.1.number }
    changed = [:]
  }

  /// The heads that are not written yet, and the new value of the mark, to write when the service stops.
  func rest() -> (heads: [Head], mark: Int) {
    (Array(unwritten.values), nextEntry - 1)
  }

  /// Resets the heads after all of them have been written.
  mutating func wroteAll(_ mark: Int) {
    changed = [:]
    closed = []
    closedHeads = [:]
    flushed = mark
  }
}
