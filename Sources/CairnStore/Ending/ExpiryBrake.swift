/// Limits how many sessions expire per hour, so that an operator can react before a wrong clock or setting ends all of them. Parameters named
/// `moment` are `Monotonic` nanoseconds; other times are milliseconds since 1970.
struct ExpiryBrake {
  /// The percentage of all sessions that may expire per hour. 100 disables the limit and the check for clock jumps.
  private let share: Int
  private var last: (time: Int, moment: UInt64)?
  private var heldUntil: UInt64 = 0
  private var hour: (start: UInt64, allowed: Int, ended: Int)?

  /// The number of sessions that may expire per hour, however small `share` is.
  static let least = 100
  /// The longest time to live, in milliseconds, of sessions whose expiry is not limited. They are meant to end within a day anyway.
  static let shortest = 86_400_000
  private static let length: UInt64 = 3_600_000_000_000
  /// The milliseconds by which the clock may advance beyond the elapsed time without counting as a jump.
  private static let tolerance = 3_600_000

  init(share: Int) { self.share = share }

  /// Checks for a clock jump. Must be called at the start of each round. If the clock has jumped ahead, returns the seconds by which it
  /// advanced beyond the elapsed time, and pauses expiry for an hour; otherwise returns `nil`.
  mutating func jump(to time: Int, at moment: UInt64) -> Int? {
    defer { last = (time, moment) }
    guard let last, share < 100 else { return nil }
    let passed = Int(clamping: (moment - min(moment, last.moment)) / 1_000_000)
    let (ahead, overflow) = time.subtractingReportingOverflow(last.time)
    guard !overflow, ahead > passed, ahead - passed > Self.tolerance else { return nil }
    heldUntil = moment + Self.length
    return (ahead - passed) / 1_000
  }

  /// Whether expiry is paused because of a clock jump.
  func isResting(at moment: UInt64) -> Bool { moment < heldUntil }

  /// The number of sessions with this time to live (milliseconds) that may end now. `sessions` is the number of all sessions.
  mutating func room(ttl: Int, sessions: Int, at moment: UInt64) -> Int {
    guard share < 100, ttl > Self.shortest else { return .max }
    if let hour, moment - min(moment, hour.start) < Self.length { return max(0, hour.allowed - hour.ended) }
    let allowed = max(Self.least, sessions / 100 * share + sessions % 100 * share / 100)
    hour = (moment, allowed, 0)
    return allowed
  }

  /// Counts ended sessions with this time to live.
  mutating func ended(_ count: Int, ttl: Int) {
    if ttl > Self.shortest { hour?.ended += count }
  }
}
