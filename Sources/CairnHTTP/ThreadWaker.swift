import CMicroHTTPD
import Glibc
import Synchronization

/// Wakes one thread that waits for descriptors. However many ring while it is awake or on its way, it is woken once.
final class ThreadWaker: Sendable {
  /// Readable after a ring that met the thread asleep.
  let descriptor: Int32
  private let isRung = Atomic(false)
  private let isAsleep = Atomic(false)

  /// nil: the process has no descriptor left.
  init?() {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit { close(descriptor) }

  /// Any thread: what the caller has done before is seen by the thread that is woken.
  func ring() {
    guard !isRung.exchange(true, ordering: .sequentiallyConsistent) else { return }
    guard isAsleep.exchange(false, ordering: .sequentiallyConsistent) else { return }
    var one: UInt64 = 1
    // Fails only when the counter is full, which means that it is readable.
    _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// The waiting thread is about to look at everything.
  func listen() { _ = isRung.exchange(false, ordering: .sequentiallyConsistent) }

  /// The waiting thread wants to sleep; false: it was called since it has listened. `wake()` must follow in both cases.
  func sleep() -> Bool {
    isAsleep.store(true, ordering: .sequentiallyConsistent)
    return !isRung.load(ordering: .sequentiallyConsistent)
  }

  /// The waiting thread is awake; `wasReadable`: its descriptor said so.
  func wake(wasReadable: Bool) {
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    guard wasReadable else { return }
    var count: UInt64 = 0
    _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
  }
}
