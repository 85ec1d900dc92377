package import CairnCore

/// The limits of a store.
package struct StoreLimits: Hashable, Sendable {
  /// The maximum number of commands that wait for the writer, and of reads that wait in each lane. Commands and reads beyond it are
  /// rejected with `queueFull`.
  package var queue: Int
  /// The maximum number of commands in one commit.
  package var batch: Int
  /// The maximum estimated size of the sessions in memory, in bytes. At least one session is always kept.
  package var cache: Int
  /// The maximum number of concurrent outgoing calls. An app may start a call only while it has fewer running calls than there are free
  /// slots. Each host of an app may use a quarter of all slots, and each session a sixteenth.
  package var calls: Int
  /// The pause in milliseconds before the writer uses the journal again after a failure.
  package var retry: Int
  /// The maximum time between a node's claim of an effect and the due time of the effect, in milliseconds.
  package var lease: Int
  /// The limits of one session and of one request.
  package var bounds: Bounds
  /// The number of entries in a session's journal at which the older half is forgotten.
  package var entries: Int
  /// The size of a session's journal in bytes, including snapshots, at which the older half is forgotten.
  package var journal: Int
  /// The retention of entries in milliseconds, for sessions whose definition does not set it; `nil` for no limit.
  package var historyRetention: Int?
  /// The number of reader threads, at least two. Lists have an additional thread.
  package var readers: Int
  /// The time to live in milliseconds, counted from the last change, of sessions whose definition has none; `nil` for no limit.
  package var sessionTTL: Int?
  /// The maximum percentage of all sessions that may expire per hour. 100 means no limit.
  package var expiryShare: Int
  /// The milliseconds for which the response to a keyed request is stored.
  package var answers: Int
  /// The time for which a message's id is stored, in milliseconds; 0 means that ids are not stored.
  package var messages: Int
  /// The minimum time between the checks of two sessions for damage, in milliseconds.
  package var sampling: Int
  /// The pause after the check of a session for damage, as a multiple of the time spent on it. The default limits the checks to about a hundredth of one core.
  package var samplingRest: Int

  package init(
    queue: Int = 4_096, batch: Int = 1_024, cache: Int = 300 << 20, calls: Int = 256, retry: Int = 1_000, lease: Int = 15_000,
    bounds: Bounds = Bounds(), entries: Int = 100_000, journal: Int = 16 << 20, historyRetention: Int? = nil,
    readers: Int = 2, sessionTTL: Int? = nil,
    expiryShare: Int = 10, answers: Int = 86_400_000, messages: Int = 86_400_000,
    sampling: Int = 100, samplingRest: Int = 100
  ) {
    self.queue = queue
    self.batch = batch
    self.cache = cache
    self.calls = calls
    self.retry = retry
    self.lease = lease
    self.bounds = bounds
    self.entries = entries
    self.journal = journal
    self.historyRetention = historyRetention
    self.readers = max(2, readers)
    self.sessionTTL = sessionTTL
    self.expiryShare = expiryShare
    self.answers = answers
    self.messages = messages
    self.sampling = sampling
    self.samplingRest = samplingRest
  }
}
