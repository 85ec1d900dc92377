#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension ProcessSignals {
  /// Whether SIGTERM, SIGINT or SIGHUP is pending. For work that regularly checks whether to stop. Call `block()` first.
  package static var arePending: Bool {
    var set = sigset_t()
    sigpending(&set)
    return sigismember(&set, SIGTERM) == 1 || sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGHUP) == 1
  }
}
