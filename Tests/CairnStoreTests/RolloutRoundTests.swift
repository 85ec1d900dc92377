import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Rounds of a rollout` {
  private static let (first, second) = (Trial.pinned(), Trial.second())

  /// A rollout of the trial app.
  private static func rollout(_ moment: Rollout.Moment?, isDryRun: Bool = false) -> Rollout {
    Rollout(
      app: "trial", from: first.hash, to: second.hash, moment: moment, rate: 10_000, isDryRun: isDryRun, since: 1, author: "eve")
  }

  /// A store with sessions `s1`, `s2`, … on the first definition, and the migration.
  private static func bench(_ journal: MemoryJournal, sessions count: Int) throws -> StoreBench {
    let bench = try StoreBench(journal)
    for number in 1...count { try bench.create("s\(number)") }
    try bench.keep(Trial.migration(from: first, to: second))
    return bench
  }

  /// Begins a rollout and returns it once it has ended.
  private static func end(of rollout: Rollout, _ bench: StoreBench) throws -> Rollout {
    _ = try awaiting { bench.store.releases.keep(rollout, after: 0, reply: $0) }.get()
    try wait(for: "the end") { bench.store.releases.rollouts["trial"]?.state == .done }
    return try #require(bench.store.releases.rollouts["trial"])
  }

  @Test func `a dry run needs no moment`() throws {
    let bench = try Self.bench(MemoryJournal(), sessions: 3)
    defer { bench.store.stop() }
    let over = try Self.end(of: Self.rollout(nil, isDryRun: true), bench)
    #expect(over.report.moved == 3 && over.report.waiting == 0)
    #expect(try bench.session("s1").definition.hash == Self.first.hash)
  }

  @Test func `a dry run that was interrupted counts each session once`() throws {
    let journal = MemoryJournal()
    var bench = try Self.bench(journal, sessions: 3)
    bench.store.stop()
    journal.reopen()
    var interrupted = Self.rollout(.now, isDryRun: true)
    interrupted.report.moved = 2
    try journal.documents.keep(interrupted, after: 0)
    bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try wait(for: "the end") { bench.store.releases.rollouts["trial"]?.state == .done }
    #expect(bench.store.releases.rollouts["trial"]?.report.moved == 3)
  }

  @Test func `a rollout does not end because the journal could not be read`() throws {
    let journal = MemoryJournal()
    let bench = try Self.bench(journal, sessions: 3)
    defer { bench.store.stop() }
    journal.failUses(1)
    let over = try Self.end(of: Self.rollout(.now), bench)
    #expect(over.report.moved == 3)
  }

  @Test func `a session that cannot move stays where it is, with the reason`() throws {
    let bench = try Self.bench(MemoryJournal(), sessions: 2)
    defer { bench.store.stop() }
    try bench.keep(Trial.migration(from: Self.first, to: Self.second, document: "lost"))
    try bench.post(Trial.page(1), to: "s1")
    let over = try Self.end(of: Self.rollout(.now), bench)
    #expect(over.report.moved == 1 && over.report.stays.values.map(\.example) == ["s1"])
    #expect(try bench.session("s1").definition.hash == Self.first.hash)
    #expect(try bench.session("s2").definition.hash == Self.second.hash)
  }

  @Test func `ticks of timers are no actions of a client, however many there were`() throws {
    let bench = try Self.bench(MemoryJournal(), sessions: 2)
    defer { bench.store.stop() }
    for id in ["s1", "s2"] { try bench.post(Trial.step("ring"), to: id) }
    for _ in 1...70 {
      bench.clock.advance(by: 10_000)
      try bench.settle()
    }
    #expect(try bench.session("s1").count == 70)
    try bench.post(Trial.page(1), to: "s2")
    _ = try awaiting { bench.store.releases.keep(Self.rollout(.idle(600_000)), after: 0, reply: $0) }.get()
    try wait(for: "the round") { bench.store.releases.rollouts["trial"]?.report.waiting == 1 }
    #expect(bench.store.releases.rollouts["trial"]?.report.moved == 1)
    #expect(try bench.session("s1").definition.hash == Self.second.hash)
    #expect(try bench.session("s2").definition.hash == Self.first.hash)
  }
}
