import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Tests of forgotten history in the files.
@Suite(.tags(.timing), .ownThreads) struct `Forgotten history in the files` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private static let canary = "canary-that-nobody-may-find"

  private func holds(_ text: String) throws -> Bool { try database.bytes().range(of: Data(text.utf8)) != nil }

  private func faults(_ journal: SQLiteJournal) throws -> [String] {
    try DatabaseCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) }).faults
  }

  private func forget(_ bench: StoreBench, before revision: Int? = nil) throws -> Int {
    try awaiting { bench.store.forget("a", before: revision, reply: $0) }.get()
  }

  /// Creates a session `a` with two entries for each page from 2 to `entries`, and a session `b` without pages.
  private func prepare(_ bench: StoreBench, entries: Int = 300) throws {
    for id in ["a", "b"] { try bench.create(id) }
    for page in 2...entries { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "a") }
  }

  @Test(arguments: [nil, 100]) func `forgotten entries are erased from the files, and the database is sound`(before: Int?) throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try prepare(bench)
    let newest = try bench.session("a").state.revision
    #expect(try forget(bench, before: before) == before ?? newest)
    #expect(try faults(journal) == [])
    try wait(until: { !journal.figures.isErasing })
    #expect(try faults(journal) == [])
    let (rows, snapshots) = try journal.database.pool.read { db in
      (
        try Int.fetchOne(db, sql: "SELECT count(*) FROM entries WHERE session = 1") ?? -1,
        try Int.fetchOne(db, sql: "SELECT min(revision) FROM snapshots WHERE session = 1") ?? -1
      )
    }
    #expect(rows == newest - (before ?? newest) && snapshots == before ?? newest)
    try bench.post(Trial.page(1), to: "a")
    #expect(try bench.history(of: "a").items.count == rows + 1)
    bench.store.stop()
    let again = try database.open()
    #expect(try faults(again) == [])
    #expect(try again.sessions.session("a")?.state.revision == newest + 1 && again.sessions.session("a")?.beginning == before ?? newest)
    again.close()
  }

  @Test func `no byte of a forgotten history or response is left in any file`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try bench.create("a")
    let key = RequestKey(name: Fingerprint([1]), print: Fingerprint([11]))
    try bench.store.postNote(Self.canary, to: "a", key: key)
    try bench.post(Trial.step("ring"), to: "a")
    #expect(try holds(Self.canary))
    _ = try forget(bench)
    try wait(until: { !journal.figures.isErasing })
    #expect(try !holds(Self.canary))
    bench.store.stop()
    #expect(try !holds(Self.canary))
  }

  @Test(arguments: [nil, 100]) func `after a kill between the commit and the erasure, nothing comes back`(before: Int?) throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try prepare(bench)
    let newest = try bench.session("a").state.revision
    let first = try forget(bench, before: before)
    let copy = try database.crashed()
    let again = try copy.open()
    defer { again.close() }
    #expect(try faults(again) == [])
    #expect(try again.sessions.session("a")?.state.revision == newest && again.sessions.session("a")?.beginning == first)
    #expect(throws: JournalError.forgotten(first: first)) { try again.history.entries(of: "a", after: first - 1, limit: 1) }
    try wait(until: { !again.figures.isErasing })
    #expect(try faults(again) == [])
    #expect(
      try again.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM entries WHERE session = 1") } == newest - first)
  }

  @Test func `a damaged beginning is found`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    try prepare(bench, entries: 20)
    _ = try forget(bench)
    bench.store.stop()
    for change in [
      "UPDATE beginnings SET revision = revision - 1", "UPDATE beginnings SET hash = hash + 1", "UPDATE beginnings SET origin = origin + 1",
      "UPDATE snapshots SET state = x'78' WHERE session = 1", "DELETE FROM snapshots WHERE session = 1", "DELETE FROM beginnings",
      "UPDATE sessions SET secret_hash = x'00' WHERE number = 1",
    ] {
      let copy = try database.crashed()
      let queue = try DatabaseQueue(path: copy.path)
      try queue.write { db in try db.execute(sql: change) }
      try queue.close()
      let damaged = try copy.open()
      #expect(try !faults(damaged).isEmpty, "\(change)")
      damaged.close()
    }
  }
}

extension Store {
  /// Performs a step under a key, whose stored response contains a text.
  fileprivate func postNote(_ text: String, to session: String, key: RequestKey) throws {
    let given = try awaiting { (reply: @escaping @Sendable (Result<GivenAnswer, StoreFault>) -> Void) in
      self.post(
        Post(.commands([Trial.page(1)]), to: session, origin: EntryOrigin(author: text, request: text)),
        once: Once(key) { _, _ in (RenderedAnswer(status: 200, head: "", body: Array(text.utf8)), "performed") }, reply: reply)
    }
    _ = try given.get()
  }
}
