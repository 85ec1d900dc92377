/// The heads of recently changed sessions. The table of heads is written after the commits, a slice with each. A generation is closed, its
/// heads are written, and with the last of them the mark, behind which a start looks for newer entries.
struct Heads {
  /// The numbers that come next: never one twice, whatever was deleted.
  private(set) var nextSession: Int
  private(set) var nextEntry: Int
  private(set) var nextResponse: Int
  /// The newest entry, or deletion, whose commit is on disk.
  private(set) var committed: NewestEntry
  private var changed: [String: Head]
  /// The closed generation: what is still to be written, the next one at the end.
  private var closed: [(id: String, head: Head)] = []
  private var closedHeads: [String: Head] = [:]
  /// The newest entry when the generation was closed.
  private var closedEntry = 0
  /// The mark on the disk.
  private(set) var flushed: Int

  /// The number of entries behind the mark at which a generation is closed. A start can read them quickly, and with a million sessions each
  /// written page has several of them.
  private static let generation = 100_000

  /// `changed`: what was found behind the mark.
  init(nextSession: Int, nextResponse: Int, newest: NewestEntry, flushed: Int, changed: [String: Head]) {
    self.nextSession = nextSession
    self.nextResponse = nextResponse
    nextEntry = newest.entry + 1
    committed = newest
    self.flushed = flushed
    self.changed = changed
  }

  /// The part of the table that a commit writes.
  struct Slice {
    var heads: [(id: String, head: Head)]
    /// The mark, if these are the last.
    var mark: Int?
  }

  /// nil: the table has it.
  subscript(id: String) -> Head? { changed[id] ?? closedHeads[id] }

  /// All that the table does not have yet.
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

  /// After the commit of a session's entries.
  mutating func move(_ id: String, to head: Head) {
    changed[id] = head
    if head.entry > committed.entry { committed = NewestEntry(entry: head.entry, hash: head.hash) }
  }

  /// After the commit of a deletion, which has taken the newest number.
  mutating func forget(_ id: String) {
    changed[id] = nil
    closedHeads[id] = nil
    committed = NewestEntry(entry: nextEntry - 1, hash: 0)
  }

  /// The heads for the next commit; `nil` if there are none.
  mutating func slice(_ count: Int) -> Slice? {
    if closed.isEmpty { close() }
    guard !closed.isEmpty else { return nil }
    return Slice(heads: closed.suffix(count).reversed(), mark: closed.count <= count ? closedEntry : nil)
  }

  /// Whether the table still has to be given a head of the closed generation: not of a session that has moved on, whose newer entry stands
  /// behind the mark, nor of one that is gone.
  func isWanted(_ id: String) -> Bool { closedHeads[id] != nil && changed[id] == nil }

  /// After the commit that wrote a slice.
  mutating func wrote(_ slice: Slice) {
    for (id, _) in slice.heads { closedHeads[id] = nil }
    closed.removeLast(slice.heads.count)
    if let mark = slice.mark { flushed = mark }
  }

  private mutating func close() {
    guard !changed.isEmpty, nextEntry - flushed > Self.generation else { return }
    closedEntry = nextEntry - 1
    closedHeads = changed
    // In the order of the table, so that a slice touches few pages; from the end, where taking away is cheap.
    closed = changed.map { ($0.key, $0.value) }.sorted { $0.1.number > $1.1.number }
    changed = [:]
  }

  /// Everything that is to be written, and the mark; for a clean stop.
  func rest() -> (heads: [Head], mark: Int) {
    (Array(unwritten.values), nextEntry - 1)
  }

  /// After the commit of `rest`.
  mutating func wroteAll(_ mark: Int) {
    changed = [:]
    closed = []
    closedHeads = [:]
    flushed = mark
  }
}
