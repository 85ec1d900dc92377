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
  /// Why the journal cannot be written, if it cannot.
  package var journalFault: String?

  /// How long the journal took for a commit.
  package var commitTimes = Durations()
  /// Reads that wait, and how long they waited for their first step: newest states, old revisions and history, lists.
  package var readDepths = [0, 0, 0]
  package var readWaits = [Durations](repeating: Durations(), count: 3)
  /// Reads given up since their client had left.
  package var readsDropped = 0
  /// Bytes of the sessions in memory, by estimate.
  package var cacheBytes = 0
  /// When the next effect is due, milliseconds since 1970; nil: none waits.
  package var nextDue: Int?
  /// Milliseconds by which that one is late.
  package var effectsLate = 0
  /// Outgoing calls that run and that wait, per app.
  package var calls = CallCounts()
  /// Hosts of an app whose calls rest, since many failed in a row.
  package var restingUpstreams = 0
  /// Sessions that expired.
  package var expired = 0
  /// Whether expired sessions are kept for now, because too many expired at once or the clock jumped.
  package var isExpiryHeld = false
  /// Sessions that were looked at for damage since the start, and how many are damaged as far as is known.
  package var checked = 0
  package var damaged = 0
  package var journal = JournalFigures()
  /// The writes of each app, by its name.
  package var apps: [String: AppFigures] = [:]

  package init() {}
}
