import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `Lists of many sessions` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  /// Inserts sessions with a row and a head but without entries, which suffices for a list of ids.
  private func fill(_ journal: SQLiteJournal, _ count: Int) throws {
    try journal.database.pool.write { db in
      try db.execute(sql: "INSERT INTO definitions (hash, text) VALUES ('h', 'text'), ('other', 'text')")
      for number in 1...count {
        try db.execute(
          sql: "INSERT INTO sessions (number, id, app, created_at, secret_hash, manual) VALUES (?, ?, ?, ?, x'00', 0)",
          arguments: [number, "s\(number)", number % 2 == 0 ? "even" : "odd", number])
        try db.execute(
          sql: """
            INSERT INTO heads (session, revision, entry, hash, updated_at, definition, label, created_at)
            VALUES (?1, 1, ?1, 0, ?1, ?2, ?3, ?1)
            """,
          arguments: [number, number == count ? "other" : "h", number % 3 == 0 ? "third" : nil])
      }
    }
  }

  @Test func `every query searches an index`() throws {
    let journal = try database.open()
    defer { journal.close() }
    try fill(journal, 10)
    let queries = [
      SessionQuery(limit: 1), SessionQuery(app: "odd", limit: 1), SessionQuery(label: "third", limit: 1),
      SessionQuery(app: "odd", definition: "h", limit: 1), SessionQuery(createdAfter: 3, createdBefore: 9, limit: 1),
      SessionQuery(definition: "h", idleSince: 5, limit: 1),
    ]
    for query in queries {
      let plan = try journal.database.pool.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + SQLiteSessions.select(query), arguments: Self.arguments(query))
          .map { $0["detail"] as String }
      }
      #expect(plan.first?.contains(/^SEARCH [hs] USING (COVERING )?INDEX/) == true, "\(plan)")
      #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(plan)")
    }
  }

  private static func arguments(_ query: SessionQuery) -> StatementArguments {
    let key = query.label ?? query.definition ?? query.app
    return StatementArguments([0, 0, 0] + (key.map { [$0] } ?? []) as [any DatabaseValueConvertible])
  }

  @Test func `rare matches are found over several pages, each of which reads a bounded number of rows`() throws {
    let journal = try database.open()
    defer { journal.close() }
    try fill(journal, 7_000)
    var query = SessionQuery(app: "even", definition: "h", createdAfter: 6_990, limit: 100)
    #expect(try journal.sessions.page(query) == SessionPage(ids: ["s6990", "s6992", "s6994", "s6996", "s6998"]))
    // No session has all these values. The search returns two empty pages.
    query = SessionQuery(app: "even", label: "third", definition: "h", idleSince: 0, limit: 100)
    var pages = 0
    repeat {
      let page = try #require(try journal.sessions.page(query))
      #expect(page.ids.isEmpty)
      query.after = page.next
      pages += 1
    } while query.after != nil
    #expect(pages == 2)
    query = SessionQuery(label: "third", limit: 5)
    let first = try #require(try journal.sessions.page(query))
    #expect(first.ids == ["s3", "s6", "s9", "s12", "s15"])
    query.after = first.next
    #expect(try journal.sessions.page(query)?.ids.first == "s18")
  }

  @Test func `a damaged session is named instead of listed, and the others are listed`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal, limits: StoreLimits(cache: 1))
    defer { bench.store.stop() }
    for id in ["a", "b", "c"] { try bench.create(id) }
    try journal.database.pool.write { db in try db.execute(sql: "UPDATE entries SET difference = x'00ff' WHERE session = 2") }
    let list = try awaiting { bench.store.sessions(SessionQuery(limit: 10), as: { ($0.id, 0) }, reply: $0) }.get()
    #expect(list.items == ["a", "c"])
    #expect(list.damaged == ["b"])
    #expect(bench.store.figures.damaged == 1)
    #expect(bench.store.damaged.all.keys.sorted() == ["b"])
    _ = try awaiting { bench.store.sessions(SessionQuery(limit: 10), as: { ($0.id, 0) }, reply: $0) }.get()
    #expect(bench.events.count { if case .sessionDamaged = $0 { true } else { false } } == 1)
  }

  @Test func `a page ends at its maximum size in bytes`() throws {
    let bench = try StoreBench(try database.open())
    defer { bench.store.stop() }
    for number in 1...40 { try bench.create("s\(number)") }
    let list = try awaiting { bench.store.sessions(SessionQuery(limit: 1_000), bytes: 100, as: { ($0.id, 10) }, reply: $0) }.get()
    #expect(list.items.count == 32 && list.next != nil)
    for page in 1...300 { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "s1") }
    let history = try awaiting { bench.store.history(of: "s1", after: 5, limit: 1_000, bytes: 100, as: { ($0, 10) }, reply: $0) }.get()
    #expect(history.items.count == 10 && history.more && history.last == 15)
    let large = try awaiting { bench.store.history(of: "s1", after: 5, limit: 1_000, bytes: 1, as: { ($0, 10) }, reply: $0) }.get()
    #expect(large.items.count == 1 && large.more)
    let all = try awaiting { bench.store.history(of: "s1", after: 5, limit: 1_000, as: { ($0, 10) }, reply: $0) }.get()
    #expect(all.items.count == 596 && !all.more)
  }

  @Test func `idle sessions are found by the heads in memory and in the table`() throws {
    let first = try StoreBench(try database.open())
    for id in ["a", "b", "c"] { try first.create(id) }
    first.store.stop()
    let journal = try database.open()
    let bench = try StoreBench(journal, clock: ManualClock(2_000_000))
    defer { bench.store.stop() }
    try bench.post(Trial.page(1), to: "b")
    #expect(try journal.sessions.page(SessionQuery(idleSince: 1_500_000, limit: 10))?.ids == ["a", "c"])
  }
}
