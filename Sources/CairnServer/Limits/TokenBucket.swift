/// A token bucket as one number: the moment at which it will be full again. A bucket that was never used is full.
struct TokenBucket {
  /// Nanoseconds on the clock that `take` is asked with.
  private(set) var fullAt: UInt64 = 0

  /// Takes a token; nil: it was there. Else how many nanoseconds later there is one, and nothing was taken.
  mutating func take(_ rate: Rate, at now: UInt64) -> UInt64? {
    if let wait = wait(rate, at: now) { return wait }
    fullAt = max(fullAt, now) + Self.interval(rate)
    return nil
  }

  /// How many nanoseconds later there is a token; nil: there is one now.
  func wait(_ rate: Rate, at now: UInt64) -> UInt64? {
    let next = max(fullAt, now) + Self.interval(rate)
    return next > now + rate.period ? next - now - rate.period : nil
  }

  /// How long one token takes to come back.
  private static func interval(_ rate: Rate) -> UInt64 { rate.period / UInt64(rate.count) }
}
