import Glibc

/// Time for measuring and for deadlines: never set back, meaningless outside this boot.
package enum Monotonic {
  /// Nanoseconds since an arbitrary start; any thread.
  package static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The moment `duration` from now, in the nanoseconds of `now()`; a negative duration is now, an endless one the last moment.
  package static func deadline(after duration: Duration) -> UInt64 {
    now().addingSaturated(duration.nanoseconds)
  }
}

/// Time for people and records, as the machine believes it.
package enum WallClock {
  /// Milliseconds since 1970, UTC; any thread.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}

extension Duration {
  /// Whole nanoseconds, held between 0 and `UInt64.max`.
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
