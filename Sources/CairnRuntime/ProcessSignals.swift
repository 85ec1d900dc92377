import Glibc

/// A wish to end that came from outside.
package enum ProcessSignal: Sendable, Equatable {
  /// SIGTERM: a supervisor, `kill`, a container's stop.
  case terminate
  /// SIGINT: Ctrl-C.
  case interrupt
}

/// SIGTERM and SIGINT taken as values by a thread that waits for them, not by a handler that interrupts one.
package enum ProcessSignals {
  /// Blocks both signals in the calling thread and in all that it starts from now on; ignores SIGPIPE in the process.
  /// Call it first in main, before any other thread exists: a thread that does not block them would be ended by them.
  package static func block() {
    var set = waited()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Blocks the calling thread until the next of the two arrives; call it again for a second one. `block()` must have run.
  package static func wait() -> ProcessSignal {
    var set = waited()
    var number: Int32 = 0
    // sigwait fails on an invalid set alone (POSIX), and this one is valid; EINTR from other implementations is tried again.
    while sigwait(&set, &number) != 0 {}
    return number == SIGTERM ? .terminate : .interrupt
  }

  private static func waited() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTERM)
    sigaddset(&set, SIGINT)
    return set
  }
}
