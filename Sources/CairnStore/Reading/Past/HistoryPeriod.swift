import CairnCore
import CairnJournal

/// A filter of a history by time. Times are in milliseconds since 1970.
package struct HistoryPeriod: Sendable {
  /// The first time; `nil` for no bound.
  private let since: Int?
  /// The time before which the period ends; `nil` for no bound.
  private let until: Int?
  /// Whether the period applies to the time at which an entry's user acted, according to the client, instead of the entry's own time.
  private let isByClient: Bool

  package init(since: Int?, until: Int?, isByClient: Bool) {
    self.since = since
    self.until = until
    self.isByClient = isByClient
  }

  /// Whether an entry is in the period, by the entry's own time or, with `isByClient`, by the client's time.
  func contains(_ entry: Entry) -> Bool {
    let time = isByClient ? entry.stamp.clientTime?.happened ?? entry.stamp.time : entry.stamp.time
    return since.map { time >= $0 } ?? true && until.map { time < $0 } ?? true
  }

  /// Narrows the revisions after `first` up to `last` to those whose entries may be in the period. If the clients' times count, entries up to
  /// `Definition.usualOfflineFor` after the period are included, because clients keep actions for that long. An entry before the period cannot be in it,
  /// because an action happens before its entry.
  func narrowed(
    after first: Int, through last: Int, of session: String, in history: any EntryJournal
  ) throws(JournalError) -> (first: Int, last: Int) {
    let begin = try since.map { time throws(JournalError) in try Self.last(before: time, first, last, of: session, in: history) } ?? first
    guard let until else { return (begin, last) }
    let end = isByClient ? until.addingSaturated(Definition.usualOfflineFor) : until
    return (begin, try Self.last(before: end, begin, last, of: session, in: history))
  }

  /// Returns the last revision after `first` up to `last` whose entry is older than `time`; `first` if there is none. The times of a
  /// session's entries never decrease, so a binary search finds it, with at most one read per binary digit of the revision.
  private static func last(
    before time: Int, _ first: Int, _ last: Int, of session: String, in history: any EntryJournal
  ) throws(JournalError) -> Int {
    var (low, high) = (first, last)
    while low < high {
      let middle = low + (high - low + 1) / 2
      let entry = try history.entries(of: session, after: middle - 1, limit: 1).first
      if let entry, entry.entry.stamp.time < time { low = middle } else { high = middle - 1 }
    }
    return low
  }
}
