import CairnCore
import CairnRuntime
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `Staged entries on SQLite` {
  private func bench(_ journal: SQLiteJournal) throws -> StoreBench {
    let bench = try StoreBench(journal)
    try bench.create("a")
    for page in 1...60 { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: "a") }
    return bench
  }

  /// The numbers of entries, snapshots, sessions and tombstones.
  private func rows(_ journal: SQLiteJournal) throws -> [Int] {
    try journal.database.pool.read { db in
      try ["entries", "snapshots", "sessions", "tombstones"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? -1 }
    }
  }

  private func expectSound(_ journal: SQLiteJournal, sessions: Int) throws {
    #expect(try DatabaseCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) }).faults == [])
    #expect(try journal.sessions.count() == sessions)
  }

  @Test func `a session in parts is as sound as any other, also after a kill`() throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try bench(journal)
    defer { bench.store.stop() }
    let copy = try StagedCopy(of: "a", as: "b", in: journal, every: 30)
    let place = try copy.stage(in: journal)
    try expectSound(journal, sessions: 1)
    #expect(try journal.writer.commit(JournalBatch(sessions: [copy.write(behind: place)])) == [:])
    try expectSound(journal, sessions: 2)
    let crashed = try database.crashed()
    let again = try crashed.open()
    defer { again.close() }
    try expectSound(again, sessions: 2)
    #expect(try again.sessions.session("b") == journal.sessions.session("b"))
    #expect(try again.history.entries(of: "b", after: 0, limit: .max).count == 121)
  }

  @Test func `after a kill between two parts a start erases them, and nothing is lost`() throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try bench(journal)
    defer { bench.store.stop() }
    let before = try rows(journal)
    let copy = try StagedCopy(of: "a", as: "b", in: journal, every: 30)
    _ = try copy.stage(in: journal)
    journal.mark()
    let crashed = try database.crashed()
    let again = try crashed.open()
    #expect(try again.sessions.session("b") == nil && again.sessions.count() == 1)
    try wait(for: "the erasing") { try rows(again) == before }
    try expectSound(again, sessions: 1)
    // The numbers of the erased rows are not used again, so a further start finds no loss.
    let next = try StoreBench(again)
    try next.post(Trial.page(1), to: "a")
    next.store.stop()
    let last = try crashed.open()
    defer { last.close() }
    #expect(try last.sessions.session("a")?.state.revision == 122)
  }

  @Test func `parts are not erased while a session is deleted beside them, and are when they are given up`() throws {
    let database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try bench(journal)
    defer { bench.store.stop() }
    try bench.create("c")
    let copy = try StagedCopy(of: "a", as: "b", in: journal, every: 30)
    let before = try rows(journal)
    let (kept, given) = (try copy.stage(in: journal), try copy.stage(in: journal))
    try bench.delete("c")
    try wait(for: "the erasing of the deleted session") { try rows(journal)[3] == 2 && !journal.figures.isErasing }
    try journal.writer.unstage(given)
    try wait(for: "the erasing of what was given up") { try rows(journal)[3] == 1 }
    #expect(try journal.writer.commit(JournalBatch(sessions: [copy.write(behind: kept)])) == [:])
    #expect(try rows(journal)[3] == 0 && rows(journal)[0] == before[0] - 1 + 121)
    try expectSound(journal, sessions: 2)
  }
}
