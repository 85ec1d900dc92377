/// A token bucket, stored as the time at which it will be full again. An unused bucket is full.
struct TokenBucket {
  /// The time in nanoseconds, on the clock that is passed to `take`.
  private(set) var fullAt: UInt64 = 0

  /// Takes a token. Returns `nil` if there was one, otherwise the nanoseconds until the next one, without taking it.
  mutating func take(_ rate: Rate, at now: UInt64) -> UInt64? {
    if let wait = wait(rate, at: now) { return wait }
    fullAt = max(fullAt, now) + Self.interval(rate)
    return nil
  }

  /// The nanoseconds until the next token; `nil` if there is one now.
  func wait(_ rate: Rate, at now: UInt64) -> UInt64? {
    let next = max(fullAt, now) + Self.interval(rate)
    return next > now + rate.period ? next - now - rate.period : nil
  }

  /// The nanoseconds per token.
  private static func interval(_ rate: Rate) -> UInt64 { rate.period / UInt64(rate.count) }
}
