import CMicroHTTPD
import Glibc
import Synchronization

/// Wakes a thread that waits for descriptors. Several calls while the thread is awake or waking up wake it only once.
final class ThreadWaker: Sendable {
  /// Becomes readable when the sleeping thread is woken.
  let descriptor: Int32
  private let isRung = Atomic(false)
  private let isAsleep = Atomic(false)

  /// Returns `nil` if the process has no free descriptor.
  init?() {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Wakes the thread, which then sees everything that the caller did before. Any thread.
  func ring() {
    guard !isRung.exchange(true, ordering: .sequentiallyConsistent) else { return }
    guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
    var one: UInt64 = 1
    // Fails only if the counter is full. The descriptor is then readable anyway.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Called by the waiting thread before it checks for work.
  func listen() { _ = isRung.exchange(false, ordering: .sequentiallyConsistent) }

  /// Called by the waiting thread before it sleeps. Returns `false` if it was woken since `listen`. `wake()` must follow in both cases.
  func sleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    return !isRung.load(ordering: .sequentiallyConsistent)
  }

  /// Called by the waiting thread after it has slept. `wasReadable` is set if the descriptor was readable.
  func wake(wasReadable: Bool) {
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    guard wasReadable else { return }
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}
