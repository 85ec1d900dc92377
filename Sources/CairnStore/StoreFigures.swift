/// Counters since the start, and gauges.
package struct StoreFigures: Sendable {
  package var commits = 0
  /// Entries in all commits; divided by `commits` the mean batch.
  package var committedActions = 0
  package var largestBatch = 0
  package var queueDepth = 0
  package var queueLimit = 0
  package var sessions = 0
  package var isAccepting = true
  /// Sessions that were looked at for damage since the start, and how many are damaged as far as is known.
  package var checkedSessions = 0
  package var damagedSessions = 0
  /// Why the journal cannot be written, if it cannot.
  package var journalFault: String?

  package init() {}
}
