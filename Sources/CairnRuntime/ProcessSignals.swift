#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A signal that the process has received.
package enum ProcessSignal: Sendable, Equatable {
  /// SIGTERM, for example from a supervisor, `kill`, or the stop of a container.
  case terminate
  /// SIGINT, which Ctrl-C sends.
  case interrupt
  /// SIGHUP: the process must read keys, definitions and the log file again.
  case hangUp
  /// SIGUSR1 or SIGUSR2, which have no effect.
  case user

  /// Whether the signal requests the process to end.
  package var isEnd: Bool { self == .terminate || self == .interrupt }
}

/// Receives signals synchronously: a thread waits for signals, and no signal handler interrupts a thread.
package enum ProcessSignals {
  private static let waited = [SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2]

  /// Blocks the signals in the calling thread and in all threads that it starts later, and ignores SIGPIPE in the process. SIGWINCH needs
  /// no blocking, because the system ignores it by default.
  ///
  /// Must be called before any other thread exists, because a thread that does not block a signal could let it end the process.
  package static func block() {
    var set = set()
    pthread_sigmask(SIG_BLOCK, &set, nil)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Blocks the calling thread until the next signal arrives. `block()` must have been called.
  package static func wait() -> ProcessSignal {
    var set = set()
    var number: Int32 = 0
    // POSIX allows sigwait to fail only for an invalid set, and this set is valid. Some implementations return EINTR, so the call is
    // repeated.
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
