/// Bounds how many sessions expire per hour, so that a wrong clock or setting does not end all of them before an operator has
/// looked. Moments are `Monotonic` nanoseconds; times are milliseconds since 1970.
struct ExpiryBrake {
  /// The percentage of all sessions that may end in an hour; 100: any number, and clock jumps are ignored.
  private let share: Int
  private var last: (time: Int, moment: UInt64)?
  private var heldUntil: UInt64 = 0
  private var hour: (start: UInt64, allowed: Int, ended: Int)?

  /// So many sessions may always end in an hour.
  static let least = 100
  /// Sessions with at most this time to live are not counted: they would be over by tomorrow whatever the clock says.
  static let shortest = 86_400_000
  private static let length: UInt64 = 3_600_000_000_000
  /// Milliseconds by which a clock may be set forward without being noticed.
  private static let tolerance = 3_600_000

  init(share: Int) { self.share = share }

  /// To be called at the start of each round. Returns by how many seconds the clock went ahead of what has passed since the round before,
  /// if that is a jump; expiry then rests for an hour.
  mutating func jump(to time: Int, at moment: UInt64) -> Int? {
    defer { last = (time, moment) }
    guard let last, share < 100 else { return nil }
    let passed = Int(clamping: (moment - min(moment, last.moment)) / 1_000_000)
    let (ahead, overflow) = time.subtractingReportingOverflow(last.time)
    guard !overflow, ahead > passed, ahead - passed > Self.tolerance else { return nil }
    heldUntil = moment + Self.length
    return (ahead - passed) / 1_000
  }

  /// Whether expiry rests, since the clock jumped.
  func isResting(at moment: UInt64) -> Bool { moment < heldUntil }

  /// How many sessions with this time to live (milliseconds) may end now, of `sessions` in all.
  mutating func room(ttl: Int, sessions: Int, at moment: UInt64) -> Int {
    guard share < 100, ttl > Self.shortest else { return .max }
    if let hour, moment - min(moment, hour.start) < Self.length { return max(0, hour.allowed - hour.ended) }
    let allowed = max(Self.least, sessions / 100 * share + sessions % 100 * share / 100)
    hour = (moment, allowed, 0)
    return allowed
  }

  /// So many sessions with this time to live have ended.
  mutating func ended(_ count: Int, ttl: Int) {
    if ttl > Self.shortest { hour?.ended += count }
  }
}
