import CairnCore
import CairnJournal
import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite(.tags(.timing), .ownThreads) struct `Retention of history` {
  let journal = MemoryJournal()
  let clock = ManualClock()

  private func bench(_ retention: Int? = nil) throws -> StoreBench {
    try StoreBench(journal, clock: clock, limits: StoreLimits(historyRetention: retention))
  }

  /// Waits until the history of a session begins at a revision.
  private func expectBeginning(_ revision: Int, of id: String) throws {
    try wait(until: { (try? journal.history.beginning(of: id)?.revision) == revision })
  }

  @Test func `entries older than the retention are forgotten, and the newest state before stays`() throws {
    let bench = try bench(60_000)
    defer { bench.store.stop() }
    for id in ["a", "b"] { try bench.create(id) }
    for page in 1...3 { try bench.post(Trial.page(page), to: "a") }
    clock.advance(by: 40_000)
    for page in 4...5 { try bench.post(Trial.page(page), to: "a") }
    clock.advance(by: 30_000)
    try expectBeginning(4, of: "a")
    // A session without later entries keeps its newest state.
    try expectBeginning(1, of: "b")
    #expect(try bench.history(of: "a").items.map(\.entry.revision) == [5, 6])
    #expect(try bench.session("a", at: 4).pages == [0, 1, 2, 3])
    #expect(try bench.session("b").pages == [0])
    clock.advance(by: 40_000)
    try expectBeginning(6, of: "a")
    #expect(try bench.session("a").pages == [0, 1, 2, 3, 4, 5])
  }

  @Test func `without a retention nothing is forgotten`() throws {
    let bench = try bench()
    try bench.create("a")
    for page in 1...3 { try bench.post(Trial.page(page), to: "a") }
    clock.advance(by: 1_000_000_000)
    #expect(try bench.history(of: "a").items.count == 4)
    bench.store.stop()
    journal.reopen()
    #expect(try journal.history.beginning(of: "a") == nil)
  }
}
