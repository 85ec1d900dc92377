import CairnCore
import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Effects of a node that has ended` {
  /// The sessions that a journal gets when it claims all that is due, sorted.
  private func claimed(_ journal: PostgresJournal) throws -> [String] { try journal.claimEffects(until: .max).map(\.id).sorted() }

  @Test func `effects are claimed by one node at a time, and by others after a clean stop`() throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    let bench = try StoreBench(one)
    for id in ["a", "b", "c"] {
      try bench.create(id)
      try bench.post(Trial.step("sleep"), to: id)
    }
    // The node that began the effects has them.
    #expect(try claimed(other) == [])
    bench.store.stop()
    #expect(try claimed(other) == ["a", "b", "c"])
    // They were taken over, and the other node runs them from now on.
    #expect(try claimed(other) == [])
    other.close()
  }

  @Test func `a timer of a node that stopped fires once at another node`() throws {
    let schema = try TemporarySchema()
    let clock = ManualClock()
    let one = try StoreBench(try schema.open(), clock: clock)
    try one.create("s")
    try one.post(Trial.step("sleep"), to: "s")
    let before = try one.session("s").state.revision
    one.store.stop()
    let other = try StoreBench(try schema.open(), clock: clock)
    defer { other.store.stop() }
    let listener = other.store.feed.subscription("s")
    let changed = Monitor<WaitEnding?>(nil)
    listener.wait(past: before, until: .max, while: { true }) { ending in changed.change { $0 = ending } }
    clock.advance(by: 60_000)
    #expect(try changed.wait(for: "the timer") { $0 } == .changed)
    let entries = try other.history(of: "s", limit: 100).items.filter { $0.entry.revision > before }
    #expect(entries.count == 1)
  }
}
