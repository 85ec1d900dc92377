import CairnCore
import CairnJournal
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Limit on the expiry of sessions` {
  private static let hour: UInt64 = 3_600_000_000_000
  private static let month = 30 * 86_400_000

  @Test func `at most a share of all sessions expires in an hour, and expiry continues in the next hour`() {
    var brake = ExpiryBrake(share: 10)
    #expect(brake.room(ttl: Self.month, sessions: 50_000, at: 0) == 5_000)
    brake.ended(4_990, ttl: Self.month)
    #expect(brake.room(ttl: Self.month, sessions: 45_010, at: Self.hour - 1) == 10)
    brake.ended(10, ttl: Self.month)
    #expect(brake.room(ttl: Self.month, sessions: 45_000, at: Self.hour - 1) == 0)
    #expect(brake.room(ttl: Self.month, sessions: 45_000, at: Self.hour) == 4_500)
  }

  @Test func `a minimum may always expire, a TTL of a day or less is not limited, and 100 percent turns the limit off`() {
    var brake = ExpiryBrake(share: 1)
    #expect(brake.room(ttl: Self.month, sessions: 20, at: 0) == ExpiryBrake.least)
    brake.ended(ExpiryBrake.least, ttl: Self.month)
    #expect(brake.room(ttl: Self.month, sessions: 20, at: 1) == 0)
    #expect(brake.room(ttl: ExpiryBrake.shortest, sessions: 20, at: 1) == .max)
    var free = ExpiryBrake(share: 100)
    #expect(free.room(ttl: Self.month, sessions: 1_000_000, at: 0) == .max)
  }

  @Test func `a wall clock that runs ahead of the monotonic clock is a jump, and expiry pauses for an hour`() {
    var brake = ExpiryBrake(share: 10)
    #expect(brake.jump(to: 1_000_000, at: 5) == nil)
    #expect(brake.jump(to: 1_060_000, at: 60_000_000_005) == nil)
    #expect(!brake.isResting(at: 60_000_000_005))
    // The wall clock advances by forty days in one minute.
    #expect(brake.jump(to: 1_120_000 + 40 * 86_400_000, at: 120_000_000_005) == 40 * 86_400)
    #expect(brake.isResting(at: 120_000_000_005 + Self.hour - 1))
    #expect(!brake.isResting(at: 120_000_000_005 + Self.hour))
    // The clock is set back, which is not a jump ahead.
    #expect(brake.jump(to: 1_180_000, at: 180_000_000_005) == nil)
  }

  @Test func `no session expires if the clock is forty days ahead, and the jump is reported`() throws {
    let (journal, clock) = (MemoryJournal(), ManualClock())
    let bench = try StoreBench(journal, clock: clock, limits: StoreLimits(sessionTTL: Self.month))
    defer { bench.store.stop() }
    for number in 0..<20 { try bench.create("s\(number)") }
    clock.advance(by: 40 * 86_400_000)
    // The jump is shorter than forty days by the time since the start.
    try wait(until: { bench.events.contains { if case .clockJumped(let seconds) = $0 { seconds > 39 * 86_400 } else { false } } })
    try wait(until: { bench.store.figures.isExpiryHeld })
    #expect(bench.store.figures.sessions == 20)
  }

  @Test func `after a start at most the share expires, and the log reports that the rest is held`() throws {
    let (journal, clock) = (MemoryJournal(), ManualClock())
    let limits = StoreLimits(sessionTTL: Self.month, expiryShare: 10)
    let first = try StoreBench(journal, clock: clock, limits: limits)
    for number in 0..<300 { try first.create("s\(number)") }
    first.store.stop()
    journal.reopen()
    clock.advance(by: 40 * 86_400_000)
    let bench = try StoreBench(journal, clock: clock, limits: limits)
    defer { bench.store.stop() }
    try wait(until: { bench.events.contains(.expiryHeld(share: 10)) })
    #expect(bench.store.figures.expired == ExpiryBrake.least)
    #expect(bench.store.figures.sessions == 200)
  }
}
