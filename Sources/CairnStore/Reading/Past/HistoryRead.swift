import CairnCore
import CairnJournal

/// Reads a page of a session's history with the events of each entry, some entries per step.
struct HistoryRead<Item: Sendable>: SteppedRead {
  private enum Phase {
    case begin
    /// Reading the state before the first entry of the page.
    case base(PastRead, newest: Int)
    case entries(Replay, newest: Int)
  }

  private let id: String
  /// Whether the page begins with the first entry that is not forgotten.
  private let takesWhatIsLeft: Bool
  /// The revision after which the page begins; `nil` until the beginning of the journal is known.
  private var first: Int?
  private let period: HistoryPeriod?
  private let limit: Int
  private let bytes: Int
  private let show: @Sendable (HistoryItem) throws(StoreFault) -> (item: Item, bytes: Int)
  private var phase = Phase.begin
  /// The beginning of the history at the last restart of the page; `nil` if the page was not restarted.
  private var earlierBeginning: Int?
  private var page = HistoryPage<Item>()
  private var weight = 0
  /// The number of entries that were replayed for the page.
  private var replayed = 0

  /// The number of entries that a step replays.
  private static var stride: Int { 128 }
  /// Maximum number of entries that are replayed for a page with a period. Such a page may be empty although more entries follow.
  private static var mostReplayed: Int { 10_000 }

  /// Creates a read. Without `revision` the page begins with the first entry that is not forgotten. The page ends when it has `bytes`
  /// bytes, but contains at least one entry. With a `period`, it contains only the entries in the period.
  init(
    _ id: String, after revision: Int?, in period: HistoryPeriod? = nil, limit: Int, bytes: Int,
    as show: @escaping @Sendable (HistoryItem) throws(StoreFault) -> (item: Item, bytes: Int)
  ) {
    self.id = id
    first = revision.map { max(0, $0) }
    takesWhatIsLeft = revision == nil
    self.period = period
    self.limit = limit
    self.bytes = bytes
    self.show = show
  }

  mutating func step(_ parts: StoreParts) throws(StoreFault) -> HistoryPage<Item>? {
    do throws(StoreFault) {
      return try advance(parts)
    } catch {
      guard takesWhatIsLeft, case .historyGone = error else { throw error }
      // More history was forgotten since the page was begun. In a damaged journal the beginning does not move.
      guard page.beginning > earlierBeginning ?? -1 else { throw .storage("session \(id): its first entries are missing") }
      earlierBeginning = page.beginning
      phase = .begin
      first = nil
      page = HistoryPage()
      (weight, replayed) = (0, 0)
      return nil
    }
  }

  private mutating func advance(_ parts: StoreParts) throws(StoreFault) -> HistoryPage<Item>? {
    switch phase {
    case .begin:
      let session = try parts.existing(id)
      var newest = session.state.revision
      page.beginning = try parts.beginning(of: id)
      var first = first ?? page.beginning
      guard first >= page.beginning else { throw .historyGone(first: page.beginning) }
      if let period, first < newest {
        do {
          (first, newest) = try period.narrowed(after: first, through: newest, of: id, in: parts.history)
        } catch {
          throw StoreFault.reading(error)
        }
      }
      self.first = first
      page.more = first < newest
      if first == 0 { page.base = SessionVersion.none.tag } else if first == session.state.revision { page.base = session.tag }
      guard first < newest, limit > 0 else { return page }
      phase = first == 0 ? .entries(replay(session, from: nil, parts), newest: newest) : .base(PastRead(id, at: first), newest: newest)
      return nil
    case .base(var read, let newest):
      guard let session = try read.step(parts) else {
        phase = .base(read, newest: newest)
        return nil
      }
      page.base = session.tag
      phase = .entries(replay(session, from: session.state, parts), newest: newest)
      return nil
    case .entries(var replay, let newest):
      let isOver = try add(&replay, newest: newest, parts)
      phase = .entries(replay, newest: newest)
      guard isOver else { return nil }
      page.more = (page.last ?? newest) < newest
      return page
    }
  }

  private func replay(_ session: Session, from state: State?, _ parts: StoreParts) -> Replay {
    Replay(session.definition.reducer, from: state, reducers: parts.library.reducers(in: parts.documents))
  }

  /// Replays the next entries. Returns whether the page is complete.
  private mutating func add(_ replay: inout Replay, newest: Int, _ parts: StoreParts) throws(StoreFault) -> Bool {
    let after = page.last ?? first ?? 0
    let left = min(limit - page.items.count, newest - after)
    let entries: [JournalEntry]
    do {
      entries = try parts.history.entries(of: id, after: after, limit: min(Self.stride, left))
    } catch {
      throw StoreFault.reading(error)
    }
    replayed += entries.count
    for entry in entries {
      let before = replay.state
      let transition: Transition
      do {
        transition = try replay.run(entry)
      } catch {
        throw .storage("\(error)")
      }
      // `run` has set `replay.state` to the state after the entry.
      guard let after = replay.state else { throw .storage("the state after entry \(entry.entry.revision) cannot be computed") }
      page.last = entry.entry.revision
      guard period?.contains(entry.entry) ?? true else { continue }
      let (item, size) = try show(
        HistoryItem(
          entry: entry.entry, definition: entry.definition, hash: entry.hash, difference: entry.difference, transition: transition,
          before: before, after: after, reducer: replay.reducer))
      page.items.append(item)
      weight += size
      if weight >= bytes { return true }
    }
    let isFull = page.items.count >= limit || (period != nil && replayed >= Self.mostReplayed)
    return entries.isEmpty || isFull || (page.last ?? newest) >= newest
  }
}
