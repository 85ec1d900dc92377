/// A token bucket, represented by the time at which it will be full. An unused bucket is full.
struct TokenBucket {
  /// The time at which the bucket is full, in nanoseconds on the clock of `take`.
  private(set) var fullAt: UInt64 = 0

  /// Takes a token. Returns `nil` on success, otherwise the nanoseconds until a token is available.
  mutating func take(_ rate: Rate, at now: UInt64) -> UInt64? {
    if let wait = wait(rate, at: now) { return wait }
    fullAt = max(fullAt, now) + Self.interval(rate)
    return nil
  }

  /// Returns the nanoseconds until a token is available; `nil` if a token is available now.
  func wait(_ rate: Rate, at now: UInt64) -> UInt64? {
    let next = max(fullAt, now) + Self.interval(rate)
    return next > now + rate.period ? next - now - rate.period : nil
  }

  /// The time in which one token is refilled, in nanoseconds.
  private static func interval(_ rate: Rate) -> UInt64 { rate.period / UInt64(rate.count) }
}
