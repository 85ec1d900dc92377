import CMicroHTTPD
import Glibc
import Synchronization

/// Wakes one thread that polls descriptors. Any number of calls between two rounds of the thread wake it once.
final class ThreadWaker: Sendable {
  /// An eventfd, which becomes readable if `ring()` is called while the thread sleeps.
  let descriptor: Int32
  private let isRung = Atomic(false)
  private let isAsleep = Atomic(false)

  /// Creates a waker; `nil` if the process has no free descriptor.
  init?() {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Wakes the thread. May be called on any thread; earlier writes of the caller are visible to the woken thread.
  func ring() {
    guard !isRung.exchange(true, ordering: .sequentiallyConsistent) else { return }
    guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
    var one: UInt64 = 1
    // The write fails only when the counter is full, and then the counter is readable already.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Called by the waiting thread before it reads its messages. The next call of `ring()` then wakes the thread again.
  func listen() { _ = isRung.exchange(false, ordering: .sequentiallyConsistent) }

  /// Called by the waiting thread before it polls. Returns false if `ring()` was called since `listen()`; the thread must then not block.
  /// `wake()` must be called in both cases.
  func sleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    return !isRung.load(ordering: .sequentiallyConsistent)
  }

  /// Called by the waiting thread after it has polled. `wasReadable` is whether `descriptor` was readable.
  func wake(wasReadable: Bool) {
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    guard wasReadable else { return }
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}
