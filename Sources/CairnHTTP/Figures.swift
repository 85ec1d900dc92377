import Synchronization

/// The counters of one loop, which other threads read. Any thread.
final class Figures: Sendable {
  /// Connections open now.
  let connections = Atomic(0)
  /// Streams open now, each on a connection of its own.
  let streams = Atomic(0)
  /// Requests waiting for their responder now.
  let resting = Atomic(0)
  /// Connections cut off so far.
  let cut = Atomic(0)
}
