import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
  /// The soft limit, and the hard limit up to which the process may raise it; `.max` if the limit cannot be read.
  package static var now: (current: Int, highest: Int) {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return (.max, .max) }
    return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
  }

  /// Raises the limit to this count, as far as the process may. Returns the limit that then holds.
  @discardableResult package static func raise(to count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return .max }
    guard Int(clamping: limit.rlim_cur) < count else { return Int(clamping: limit.rlim_cur) }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    // Where it may not be raised (a filter of system calls), it stays.
    _ = setrlimit(resource, &limit)
    return now.current
  }

  private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
}
