import Glibc

/// A wish that came from outside.
package enum ProcessSignal: Sendable, Equatable {
  /// SIGTERM: a supervisor, `kill`, a container's stop.
  case terminate
  /// SIGINT: Ctrl-C.
  case interrupt
  /// SIGHUP: what may be read again is to be read again.
  case hangUp
  /// SIGUSR1 or SIGUSR2: of no meaning here, and so harmless.
  case user

  /// Whether the process is asked to end.
  package var isEnd: Bool { self == .terminate || self == .interrupt }
}

/// Signals taken as values by a thread that waits for them, not by a handler that interrupts one.
package enum ProcessSignals {
  private static let waited = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2]

  /// Blocks these signals in the calling thread and in all that it starts from now on; ignores SIGPIPE in the process. SIGWINCH, of which
  /// a terminal sends many, is ignored by itself.
  /// Call it before any other thread exists: a thread that does not block them would be ended by them.
  package static func block() {
    var set = set()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Blocks the calling thread until the next of them arrives. `block()` must have run.
  package static func wait() -> ProcessSignal {
    var set = set()
    var number: Int32 = 0
    // sigwait fails only for an invalid set (POSIX), and this one is valid; EINTR of other implementations is retried.
    while sigwait(&set, &number) != 0 {}
    return switch number {
    case SIGTERM: .terminate
    case SIGINT: .interrupt
    case SIGHUP: .hangUp
    default: .user
    }
  }

  private static func set() -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in waited { sigaddset(&set, signal) }
    return set
  }
}
