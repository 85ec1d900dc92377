#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The maximum number of file descriptors that this process may have open.
package enum DescriptorLimit {
  /// The soft limit, and the hard limit up to which the process may raise it. Both are `.max` if they cannot be read.
  package static var now: (current: Int, highest: Int) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return (.max, .max) }
    return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
  }

  /// Raises the soft limit to `count`, or as far as the process may raise it. Returns the resulting limit.
  @discardableResult package static func raise(to count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return .max }
    guard Int(clamping: limit.rlim_cur) < count else { return Int(clamping: limit.rlim_cur) }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    // The call can fail, for example because of a filter of system calls. The limit then stays unchanged.
    _ = setrlimit(resource, &limit)
    return now.current
  }

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
