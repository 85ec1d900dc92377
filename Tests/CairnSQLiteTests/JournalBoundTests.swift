import CairnCore
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite struct `Maximum journal of one session` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func bench(_ limits: StoreLimits) throws -> StoreBench { try StoreBench(try database.open(), limits: limits) }

  private func refusal(_ bench: StoreBench, _ id: String) throws -> Refusal.Code? {
    switch try bench.fault(Trial.page(1), to: id) {
    case .refused(let refusal, _, _)?: refusal.code
    default: nil
    }
  }

  @Test func `a session at the maximum number of entries can be read and deleted, and others continue (D48)`() throws {
    let bench = try bench(StoreLimits(entries: 12))
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.create("b")
    for page in 2...12 { try bench.post(Trial.page(page), to: "a") }
    #expect(try refusal(bench, "a") == .journalFull)
    #expect(try bench.session("a").state.revision == 12)
    try bench.post(Trial.page(2), to: "b")
    try bench.delete("a")
    #expect(throws: StoreFault.self) { try bench.session("a") }
  }

  @Test func `the bytes of a session are bounded, and counted across restarts (D48)`() throws {
    let limits = StoreLimits(journal: 64 << 10)
    var bench = try bench(limits)
    try bench.create("a")
    // Pages are pushed and popped, so that the state stays small while the history grows.
    var posts = 0
    while try refusal(bench, "a") == nil {
      posts += 1
      if posts.isMultiple(of: 20) { _ = try bench.fault(.action(.popToRoot), to: "a") }
      if posts.isMultiple(of: 50) {
        bench.store.stop()
        bench = try self.bench(limits)
      }
      try #require(posts < 5_000, "the journal never got full")
    }
    #expect(try refusal(bench, "a") == .journalFull)
    bench.store.stop()
    let journal = try database.open()
    let again = try StoreBench(journal, limits: StoreLimits())
    defer { again.store.stop() }
    try again.post(Trial.page(1), to: "a")
    let counted = try #require(journal.bytes(of: "a"))
    let kept = try journal.pool.read { db in
      let entries = try Int.fetchOne(db, sql: "SELECT sum(length(cause) + length(difference)) FROM entries") ?? 0
      return entries + (try Int.fetchOne(db, sql: "SELECT sum(length(state)) FROM snapshots") ?? 0)
    }
    // After a restart, the bytes since the last snapshot are estimated.
    #expect(abs(counted - kept) < kept / 4, "\(counted) counted, \(kept) kept")
  }

  @Test func `a timer that would exceed the bound ends, and is reported once (D48)`() throws {
    let bench = try bench(StoreLimits(entries: 2))
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("ring"), to: "a")
    bench.clock.advance(by: 3_600_000)
    let refused = { bench.events.filter { if case .effectRefused(_, _, .journalFull) = $0 { true } else { false } }.count }
    try wait(until: { refused() == 1 })
    #expect(try bench.session("a").state.revision == 2)
  }

  @Test func `requests, effects and bytes are counted per app for the metrics (D48)`() throws {
    let bench = try bench(StoreLimits())
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    let app = try bench.session("a").definition.definition.app
    let figures = try #require(bench.store.figures.apps[app])
    #expect(figures.requests == 2 && figures.effects == 0 && figures.bytes > 0)
  }
}
