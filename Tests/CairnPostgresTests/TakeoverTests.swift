import CairnCore
import CairnJournal
@testable import CairnPostgres
import CairnPostgresTesting
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Effects of a node that has ended` {
  /// The sessions whose effects a journal gets when it claims all due effects, sorted.
  private func claimed(_ journal: PostgresJournal) throws -> [String] { try journal.writer.claimEffects(until: .max).map(\.id).sorted() }

  @Test func `effects are claimed by one node at a time, and by others after a clean stop`() throws {
    let schema = try TemporarySchema()
    let (one, other) = (try schema.open(), try schema.open())
    let bench = try StoreBench(one)
    for id in ["a", "b", "c"] {
      try bench.create(id)
      try bench.post(Trial.step("sleep"), to: id)
    }
    // The node that began the effects still has them.
    #expect(try claimed(other) == [])
    bench.store.stop()
    #expect(try claimed(other) == ["a", "b", "c"])
    // The effects were taken over, so the other node runs them from now on.
    #expect(try claimed(other) == [])
    other.close()
  }

  @Test func `a timer of a node that stopped fires once at another node`() throws {
    let schema = try TemporarySchema()
    let clock = ManualClock()
    let one = try StoreBench(try schema.open(), clock: clock)
    try one.create("s")
    try one.post(Trial.step("sleep"), to: "s")
    let known = try one.session("s")
    let before = known.state.revision
    one.store.stop()
    let other = try StoreBench(try schema.open(), clock: clock)
    defer { other.store.stop() }
    let listener = other.store.feed.subscription("s")
    let changed = Monitor<WaitEnding?>(nil)
    listener.wait(past: known, until: .max, while: { true }) { ending in changed.change { $0 = ending } }
    clock.advance(by: 60_000)
    #expect(try changed.wait(for: "the timer") { $0 } == .changed)
    let entries = try other.history(of: "s", limit: 100).items.filter { $0.entry.revision > before }
    #expect(entries.count == 1)
  }

  /// A node that has begun effects. The other nodes consider it ended although it still runs, as after SIGSTOP.
  private struct Frozen {
    let schema: TemporarySchema
    let journal: PostgresJournal
    let bench: StoreBench
    /// Another node, which has just taken over the effects.
    let other: StoreBench

    /// `prepare` begins the effects.
    init(_ prepare: (StoreBench) throws -> Void) throws {
      schema = try TemporarySchema()
      journal = try schema.open()
      // At most a quarter of all calls may go to one host, here 256.
      let limits = StoreLimits(calls: 1_024, sampling: 86_400_000)
      bench = try StoreBench(journal, limits: limits)
      try prepare(bench)
      try bench.settle()
      journal.housekeeping.stop()
      let second = try schema.open()
      second.housekeeping.stop()
      try schema.sql("UPDATE @nodes SET seen_at = now() - interval '60 s' WHERE run = \(journal.database.node)")
      try schema.sql("UPDATE @nodes SET alive_since = now() - interval '60 s' WHERE run = \(second.database.node)")
      other = try StoreBench(second, limits: limits)
    }

    func stop() {
      bench.store.stop()
      other.store.stop()
    }
  }

  @Test func `a node that was stopped for a minute changes nothing that has ended when it continues`() throws {
    let frozen = try Frozen { bench in
      try bench.create("timer")
      try bench.post(Trial.step("sleep"), to: "timer")
      try bench.create("call")
      try bench.post(Trial.step("fetch"), to: "call")
      _ = try bench.outbound.call(0)
    }
    defer { frozen.stop() }
    frozen.other.clock.advance(by: 60_000)
    try frozen.other.outbound.end(0, .json("news"))
    try frozen.other.settle()
    let ended = try ["timer", "call"].map { try frozen.other.session($0) }
    #expect(ended.allSatisfy { $0.state.effects.isEmpty && $0.state.revision == 3 })
    frozen.bench.clock.advance(by: 60_000)
    try frozen.bench.outbound.end(0, .json("old news"))
    try frozen.bench.settle()
    for (id, before) in zip(["timer", "call"], ended) {
      #expect(try frozen.bench.session(id).state == before.state)
      #expect(try frozen.bench.history(of: id).items.map(\.entry.revision) == [1, 2, 3])
    }
  }

  @Test func `100 calls of a node that ended are sent once more, with the same keys, and end once`() throws {
    let ids = (0..<100).map { "s\($0)" }
    let frozen = try Frozen { bench in
      for id in ids {
        try bench.create(id)
        try bench.post(Trial.step("pay"), to: id)
      }
      _ = try bench.outbound.call(99)
    }
    defer { frozen.stop() }
    func keys(_ outbound: StubOutbound) throws -> Set<String> {
      try Set(
        (0..<100).map { index in
          guard case .load(let call) = try outbound.call(index) else { throw NeverCame() }
          return try #require(call.identity)
        })
    }
    _ = try frozen.other.outbound.call(99)
    for index in 0..<100 { try frozen.other.outbound.end(index, .json("news")) }
    try frozen.other.settle()
    #expect(try keys(frozen.other.outbound) == keys(frozen.bench.outbound))
    #expect(try keys(frozen.other.outbound).count == 100 && frozen.other.outbound.count == 100)
    for index in 0..<100 { try frozen.bench.outbound.end(index, .json("old news")) }
    try frozen.bench.settle()
    for id in ids { #expect(try frozen.bench.history(of: id).items.map(\.entry.revision) == [1, 2, 3]) }
  }

  @Test func `10,000 timers of three nodes that are due at once fire once each`() throws {
    let schema = try TemporarySchema()
    let clock = ManualClock()
    let benches = try (0..<3).map { _ in
      try StoreBench(try schema.open(), clock: clock, limits: StoreLimits(queue: 10_000, sampling: 86_400_000))
    }
    defer { for bench in benches { bench.store.stop() } }
    let created = Monitor(0)
    for number in 0..<10_000 {
      let new = NewSession(
        id: "s\(number)", definition: Trial.pinned(), secretHash: [1, 2, 3], creation: Creation(), arrival: Trial.step("sleep"))
      benches[number % 3].store.create(new) { result in
        if case .success = result { created.change { $0 += 1 } }
      }
    }
    try created.wait(for: "10,000 sessions") { $0 == 10_000 ? () : nil }
    #expect(try schema.sql("SELECT count(*) FROM @effects") == "10000")
    let before = try schema.sql("SELECT min(revision) || ' ' || max(revision) FROM @heads")
    clock.advance(by: 1_000)
    try wait(for: "the end of all timers") {
      for bench in benches { try bench.settle() }
      return try schema.sql("SELECT count(*) FROM @effects") == "0"
    }
    let revision = try #require(before.split(separator: " ").first.flatMap { Int($0) })
    #expect(before == "\(revision) \(revision)")
    #expect(try schema.sql("SELECT min(revision) || ' ' || max(revision) FROM @heads") == "\(revision + 1) \(revision + 1)")
  }
}
