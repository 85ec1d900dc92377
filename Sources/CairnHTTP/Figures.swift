import Synchronization

/// The counters of a loop. Any thread.
final class Figures: Sendable {
  /// The number of open connections.
  let connections = Atomic(0)
  /// The number of open streams, each on a connection of its own.
  let streams = Atomic(0)
  /// The number of requests that wait for their response.
  let resting = Atomic(0)
  /// The number of connections that were closed because their client was too slow.
  let cut = Atomic(0)
}
