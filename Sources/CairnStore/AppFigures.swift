import CairnCore

/// The writes of one app's sessions since the start.
package struct AppFigures: Hashable, Sendable {
  /// Entries that requests made.
  package var requests = 0
  /// Entries that the ends of timers, loads and token calls made.
  package var effects = 0
  /// Bytes that all of these changed in the sessions' states.
  package var bytes = 0

  package init() {}

  /// An entry was committed.
  mutating func add(_ entry: JournalEntry) {
    if case .action(.effect) = entry.entry.cause { effects += 1 } else { requests += 1 }
    bytes += entry.difference.count
  }
}
