/// The bounds of a store.
package struct StoreLimits: Hashable, Sendable {
  /// Commands that may wait for the writer, and reads that may wait for the reader; one more is `queueFull`.
  package var queue: Int
  /// Commands in one commit at most.
  package var batch: Int
  /// Bytes of sessions kept ready in memory, by estimate; one session is always kept.
  package var cache: Int
  /// Outbound calls at the same time; further ones wait for their turn.
  package var calls: Int
  /// Milliseconds until a failed journal is tried again.
  package var retry: Int
  /// Milliseconds for which effects are taken up, where another node could take them up too.
  package var lease: Int
  /// Milliseconds between two sessions that are looked at for damage, at least.
  package var sampling: Int

  package init(
    queue: Int = 4_096, batch: Int = 1_024, cache: Int = 300 << 20, calls: Int = 64, retry: Int = 1_000, lease: Int = 30_000,
    sampling: Int = 100
  ) {
    self.queue = queue
    self.batch = batch
    self.cache = cache
    self.calls = calls
    self.retry = retry
    self.lease = lease
    self.sampling = sampling
  }
}
