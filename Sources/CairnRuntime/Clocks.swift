#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A clock for measurements and deadlines. It never goes backwards, and its values have no meaning after a reboot.
package enum Monotonic {
  /// Returns the nanoseconds since an arbitrary start. Thread-safe.
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Returns the time `duration` from now, in the nanoseconds of `now()`. Returns the current time for a negative duration, and
  /// `UInt64.max` for a time that `UInt64` cannot represent.
  package static func deadline(after duration: Duration) -> UInt64 {
    now().addingSaturated(duration.nanoseconds)
  }
}

/// The system's clock, for times that people read or that are stored. It can be set back.
package enum WallClock {
  /// Returns the milliseconds since 1970 in UTC. Thread-safe.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Duration {
  /// The duration in whole nanoseconds, clamped to 0 through `UInt64.max`.
  package var nanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole.addingSaturated(UInt64(attoseconds) / 1_000_000_000)
  }
}

extension UInt64 {
  fileprivate func addingSaturated(_ other: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
