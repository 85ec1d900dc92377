import CairnCore
import CairnJournal

/// Counters of the writes of one app's sessions, since the process started.
package struct AppFigures: Hashable, Sendable {
  /// The number of entries that requests caused, or migrations by a rollout.
  package var requests = 0
  /// The number of entries that the ends of timers, loads and token calls caused.
  package var effects = 0
  /// The bytes of the state differences in these entries.
  package var bytes = 0

  package init() {}

  /// Counts a committed entry.
  mutating func add(_ entry: JournalEntry) {
    if case .action(.effect) = entry.entry.cause { effects += 1 } else { requests += 1 }
    bytes += entry.difference.count
  }
}
