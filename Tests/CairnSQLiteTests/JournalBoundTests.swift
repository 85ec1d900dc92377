import CairnCore
import CairnJournal
import CairnRuntime
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

  @Test func `a session at the maximum number of entries forgets the older half, and goes on`() throws {
    let bench = try bench(StoreLimits(entries: 40))
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.create("b")
    for page in 2...40 { try bench.post(Trial.page(page % 3), to: "a") }
    #expect(try bench.history(of: "a").items.count == 40)
    try bench.post(Trial.page(1), to: "a")
    try wait(until: { (try? bench.session("a").beginning) ?? 0 > 0 })
    // The beginning is read before or after the last post is committed.
    let first = try bench.session("a").beginning
    #expect([20, 21].contains(first))
    #expect(try bench.history(of: "a").items.map(\.entry.revision) == Array(first + 1...41))
    #expect(try bench.session("b").beginning == 0)
    // The journal forgets again and again as the history grows.
    for page in 42...400 { try bench.post(Trial.page(page % 3), to: "a") }
    #expect(try bench.session("a").state.revision == 400)
    #expect(try bench.history(of: "a").items.count <= 80)
    #expect(try bench.history(of: "b").items.count == 1)
  }

  @Test func `a read between the commit that forgets entries and its note in memory sees the beginning of the rows`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal, limits: StoreLimits())
    defer { bench.store.stop() }
    try bench.create("a")
    for page in 2...40 { try bench.post(Trial.page(page % 3), to: "a") }
    let before = try #require(try journal.database.pool.read { db in try journal.database.head(of: "a", db) })
    _ = try awaiting { bench.store.forget("a", before: 20, matching: nil, reply: $0) }.get()
    journal.database.heads.withLock { $0.move("a", to: before) }
    #expect(try journal.history.entries(of: "a", after: 20, limit: 100).map(\.entry.revision) == Array(21...40))
    #expect(throws: JournalError.forgotten(first: 20)) { try journal.history.entries(of: "a", after: 10, limit: 100) }
    #expect(try journal.history.past(of: "a", at: 25)?.revision == 25)
  }

  @Test func `the bytes of a session are bounded, and counted across restarts`() throws {
    let limit = 64 << 10
    var bench = try bench(StoreLimits(journal: limit))
    try bench.create("a")
    // Pages are pushed and popped, so that the state stays small while the history grows.
    for post in 1...600 {
      try bench.post(Trial.page(1), to: "a")
      if post.isMultiple(of: 20) { try bench.post(.action(.popToRoot), to: "a") }
      if post.isMultiple(of: 100) {
        bench.store.stop()
        bench = try self.bench(StoreLimits(journal: limit))
      }
    }
    bench.store.stop()
    let journal = try database.open()
    let again = try StoreBench(journal, limits: StoreLimits())
    defer { again.store.stop() }
    try again.post(Trial.page(1), to: "a")
    let counted = try #require(journal.sessions.bytes(of: "a"))
    let first = try again.session("a").beginning
    #expect(first > 1 && counted <= 2 * limit + limit / 4)
    let kept = try journal.database.pool.read { db in
      let entries =
        try Int.fetchOne(db, sql: "SELECT sum(length(cause) + length(difference)) FROM entries WHERE revision > ?", arguments: [first]) ?? 0
      return entries + (try Int.fetchOne(db, sql: "SELECT sum(length(state)) FROM snapshots WHERE revision >= ?", arguments: [first]) ?? 0)
    }
    // After a restart, the bytes since the last snapshot are estimated.
    #expect(abs(counted - kept) < kept / 4 + 4_096, "\(counted) counted, \(kept) kept")
  }

  @Test func `a timer of a session beyond its bound fires`() throws {
    let bench = try bench(StoreLimits(entries: 1))
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.step("ring"), to: "a")
    let before = try bench.session("a").state.revision
    bench.clock.advance(by: 3_600_000)
    try wait(until: { (try? bench.session("a").state.revision) ?? 0 > before })
  }

  @Test func `requests, effects and bytes are counted per app for the metrics`() throws {
    let bench = try bench(StoreLimits())
    defer { bench.store.stop() }
    try bench.create("a")
    try bench.post(Trial.page(1), to: "a")
    let app = try bench.session("a").definition.definition.app
    let figures = try #require(bench.store.figures.apps[app])
    #expect(figures.requests == 2 && figures.effects == 0 && figures.bytes > 0)
  }
}
