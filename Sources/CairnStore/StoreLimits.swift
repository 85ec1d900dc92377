package import CairnCore

/// The bounds of a store.
package struct StoreLimits: Hashable, Sendable {
  /// Commands that may wait for the writer, and reads that may wait in each lane of the readers; one more is `queueFull`.
  package var queue: Int
  /// Commands in one commit at most.
  package var batch: Int
  /// Bytes of sessions kept ready in memory, by estimate; one session is always kept.
  package var cache: Int
  /// Outgoing calls at the same time; further ones wait for their turn. An app has at most as many as are free, a host of an app a quarter, a session
  /// a sixteenth.
  package var calls: Int
  /// Milliseconds until a failed journal is tried again.
  package var retry: Int
  /// Milliseconds for which effects are claimed, if another node could claim them too.
  package var lease: Int
  /// The limits of one session and of one request.
  package var bounds: Bounds
  /// Entries that a session's journal may have; further actions are refused.
  package var entries: Int
  /// Bytes that a session's journal may have, snapshots included.
  package var journal: Int
  /// Threads that read, at least two; one beside them for lists.
  package var readers: Int
  /// Milliseconds after its last change when a session ends whose definition does not say it; nil: never.
  package var sessionTTL: Int?
  /// Percent of all sessions that may end by their age in an hour; 100: any number.
  package var expiryShare: Int
  /// Milliseconds for which the answer to a keyed request is kept.
  package var answers: Int
  /// Milliseconds for which a message is known again by its id; 0: never.
  package var messages: Int
  /// Milliseconds between two sessions that are looked at for damage, at least.
  package var sampling: Int
  /// The search for damage rests so many times as long as it worked: a hundredth of one core.
  package var samplingRest: Int

  package init(
    queue: Int = 4_096, batch: Int = 1_024, cache: Int = 300 << 20, calls: Int = 256, retry: Int = 1_000, lease: Int = 30_000,
    bounds: Bounds = Bounds(), entries: Int = 1_000_000, journal: Int = 256 << 20, readers: Int = 2, sessionTTL: Int? = nil,
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
    self.readers = max(2, readers)
    self.sessionTTL = sessionTTL
    self.expiryShare = expiryShare
    self.answers = answers
    self.messages = messages
    self.sampling = sampling
    self.samplingRest = samplingRest
  }
}
