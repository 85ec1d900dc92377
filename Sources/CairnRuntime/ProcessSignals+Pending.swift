import Glibc

extension ProcessSignals {
  /// Whether SIGTERM, SIGINT or SIGHUP is pending: for work that checks now and then whether to stop. Call `block()` before.
  package static var arePending: Bool {
    var set = sigset_t()
    sigpending(&set)
    return sigismember(&set, SIGTERM) == 1 || sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGHUP) == 1
  }
}
