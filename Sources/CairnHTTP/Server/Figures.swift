import Synchronization

/// The counters of one loop. May be read on any thread.
final class Figures: Sendable {
  /// The number of open connections.
  let connections = Atomic(0)
  /// The number of open streams; each has its own connection.
  let streams = Atomic(0)
  /// The number of requests that wait for their responder.
  let resting = Atomic(0)
  /// The number of connections and streams cut off so far because their client was too slow.
  let cut = Atomic(0)
}
