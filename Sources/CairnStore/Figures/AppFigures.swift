import CairnCore
import CairnJournal

/// Counters of the committed entries of one app's sessions, since the process started.
package struct AppFigures: Hashable, Sendable {
  /// The number of entries that requests or the migrations of a rollout caused: all entries that `effects` does not count.
  package var requests = 0
  /// The number of entries that effects caused, such as the ticks of timers and the ends of loads and token calls.
  package var effects = 0
  /// The bytes of the state differences in these entries.
  package var bytes = 0

  package init() {}

  mutating func add(_ entry: JournalEntry) {
    if case .action(.effect) = entry.entry.cause { effects += 1 } else { requests += 1 }
    bytes += entry.difference.count
  }
}
