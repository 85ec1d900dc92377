import CairnRuntime
import Synchronization

/// The number of running requests. Thread-safe.
final class InFlight: Sendable {
  private let running = Atomic(0)
  /// Notifies a waiting drain that the last running request has ended.
  private let idle = Monitor(())
  private let isDraining = Atomic(false)

  /// The number of running requests.
  var count: Int { running.load(ordering: .sequentiallyConsistent) }

  func entered() { running.add(1, ordering: .relaxed) }

  func left() {
    let isLast = running.subtract(1, ordering: .sequentiallyConsistent).newValue == 0
    // Only a drain waits for the monitor, so its lock is not taken otherwise.
    if isLast, isDraining.load(ordering: .sequentiallyConsistent) { idle.change { _ in } }
  }

  /// Blocks until no request is running, or until `duration` has passed. Returns false if requests are still running. Must not be called on
  /// a connection's thread.
  func drain(within duration: Duration) -> Bool {
    isDraining.store(true, ordering: .sequentiallyConsistent)
    return idle.wait(until: Monotonic.deadline(after: duration)) { _ in count == 0 ? true : nil } ?? false
  }
}
