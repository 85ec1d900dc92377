package import CairnJournal

/// Counters since the process started, and gauges.
package struct StoreFigures: Sendable {
  package var commits = 0
  /// The number of entries in all commits. Divided by `commits`, this is the mean number of entries per commit.
  package var committedActions = 0
  package var largestBatch = 0
  /// The numbers of conflicts with other nodes, of requests that ran again because of a conflict, and of requests that were rejected after
  /// too many conflicts. A conflict is a session of a commit that another node has changed since this node read it.
  package var conflicts = 0
  package var reruns = 0
  package var contended = 0
  /// The number of commits whose outcome is unknown, because the connection to the database was lost or no standby confirmed them.
  package var uncertain = 0
  /// A lower bound of the number of revisions that the database has lost although this node knew them, for example by a failover to a
  /// server without these revisions.
  package var lostRevisions = 0
  package var queueDepth = 0
  package var queueLimit = 0
  package var sessions = 0
  package var isAccepting = true
  /// The reason why the journal cannot be written; `nil` if it can.
  package var journalFault: String?

  /// The durations of commits in the journal.
  package var commitTimes = Durations()
  /// The numbers of waiting reads, and the times from queueing to the first step. In both arrays, the elements are, in this order, for
  /// newest states, for old revisions and history, and for lists.
  package var readDepths = [0, 0, 0]
  package var readWaits = [Durations](repeating: Durations(), count: 3)
  /// The number of reads that were dropped because the client had disconnected.
  package var readsDropped = 0
  /// The estimated size of the sessions in memory, in bytes.
  package var cacheBytes = 0
  /// The time at which the next effect is due, in milliseconds since 1970; `nil` if no effect is scheduled.
  package var nextDue: Int?
  /// The milliseconds by which the next effect is overdue; 0 if it is not.
  package var effectsLate = 0
  /// The numbers of running and waiting outgoing calls per app.
  package var calls = CallCounts()
  /// The number of upstreams whose calls are paused after many failures.
  package var restingUpstreams = 0
  /// The number of sessions that this node has ended since the start because they had expired.
  package var expired = 0
  /// Whether expired sessions are kept because too many have expired at once, or because the clock jumped.
  package var isExpiryHeld = false
  /// The number of sessions checked for damage since the start, and the number of sessions known to be damaged.
  package var checked = 0
  package var damaged = 0
  package var journal = JournalFigures()
  /// The numbers of failures since the start, by background task of the store or its journal.
  package var backgroundFaults: [BackgroundTask: Int] = [:]
  /// The counts of the committed entries of each app, by the app's name.
  package var apps: [String: AppFigures] = [:]

  package init() {}
}
