import CairnRuntime

/// Where the sessions stand that changed lately. The table of heads is written behind the commits, a slice in each: a generation is closed,
/// its heads are written, and with the last of them the mark, behind which a start looks for what is newer.
struct Heads {
  /// The numbers that come next: never one twice, whatever was deleted.
  private(set) var nextSession: Int
  private(set) var nextEntry: Int
  private var changed: [String: Head]
  /// The closed generation: what is still to be written, the next one at the end.
  private var closed: [(id: String, head: Head)] = []
  private var closedHeads: [String: Head] = [:]
  /// The newest entry when the generation was closed.
  private var closedEntry = 0
  /// The mark on the disk.
  private(set) var flushed: Int
  private var closedAt = Monotonic.now()

  /// Entries behind the mark at which a generation is closed; and after five seconds.
  private static let generation = 50_000
  private static let age: UInt64 = 5_000_000_000

  /// `changed`: what was found behind the mark.
  init(nextSession: Int, nextEntry: Int, flushed: Int, changed: [String: Head]) {
    self.nextSession = nextSession
    self.nextEntry = nextEntry
    self.flushed = flushed
    self.changed = changed
  }

  /// What a commit writes of the table.
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

  /// After the commit of a session's entries.
  mutating func move(_ id: String, to head: Head) { changed[id] = head }

  /// After the commit of a deletion.
  mutating func forget(_ id: String) {
    changed[id] = nil
    closedHeads[id] = nil
  }

  /// What the next commit is to write; nil: nothing.
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
    let isOld = Monotonic.now() - closedAt > Self.age
    guard !changed.isEmpty, isOld || nextEntry - flushed > Self.generation else { return }
    closedAt = Monotonic.now()
    closedEntry = nextEntry - 1
    closedHeads = changed
    // In the order of the table, so that a slice touches few pages; from the end, where taking away is cheap.
    closed = changed.map { ($0.key, $0.value) }.sorted { $0.1.number > $1.1.number }
    changed = [:]
  }

  /// Closes what is open, whatever its age, and gives everything that is to be written; for a clean stop.
  mutating func rest() -> (heads: [Head], mark: Int) {
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
