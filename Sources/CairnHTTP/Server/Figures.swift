import Synchronization

/// The counters of one loop. May be read on any thread.
final class Figures: Sendable {
  /// The connections that are open.
  let connections = Atomic(0)
  /// The streams that are open; each has its own connection.
  let streams = Atomic(0)
  /// The requests that wait for their responder.
  let resting = Atomic(0)
  /// The connections and streams cut off so far because their client was too slow.
  let cut = Atomic(0)
}
