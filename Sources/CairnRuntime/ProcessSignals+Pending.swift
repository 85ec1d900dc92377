import Glibc

extension ProcessSignals {
  /// Whether SIGTERM, SIGINT or SIGHUP has come and nobody has taken it: for work that looks now and then whether it is to end. After `block()`.
  package static var arePending: Bool {
    var set = sigset_t()
    sigpending(&set)
    return sigismember(&set, SIGTERM) == 1 || sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGHUP) == 1
  }
}
