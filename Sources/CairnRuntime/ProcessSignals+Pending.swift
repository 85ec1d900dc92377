#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ProcessSignals {
  /// Whether SIGTERM, SIGINT or SIGHUP is pending. Work that a signal can stop reads this value regularly. `ProcessSignals.block()` must
  /// have been called.
  package static var arePending: Bool {
    var set = sigset_t()
    sigpending(&set)
    return sigismember(&set, SIGTERM) == 1 || sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGHUP) == 1
  }
}
