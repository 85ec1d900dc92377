import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite struct `Free pages after deletions` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func fill(_ bench: StoreBench, _ count: Int) throws {
    let label = String(repeating: "x", count: 200)
    for number in 0..<count { try bench.create("s\(number)", label: "\(label)\(number)") }
  }

  private func deleteMost(_ bench: StoreBench, of count: Int) throws {
    for number in 0..<count where number % 10 != 0 { try bench.delete("s\(number)") }
  }

  @Test func `free pages are returned to the disk after the erasure, while the service runs`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    // Creates free pages in the middle and at the end of the file, as deletions do. There are more free pages than the journal keeps.
    try journal.database.pool.write { db in
      try db.execute(sql: "CREATE TABLE filler (number INTEGER PRIMARY KEY, bytes BLOB)")
      for number in 0..<4_000 { try db.execute(sql: "INSERT INTO filler VALUES (?, zeroblob(4000))", arguments: [number]) }
      try db.execute(sql: "DELETE FROM filler WHERE number % 20 <> 0")
    }
    try bench.create("a")
    try bench.delete("a")
    let pages = { try journal.database.pool.read { db in try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0 } }
    try wait(until: { try pages() < 1_500 })
    #expect(try journal.integrityFaults().isEmpty)
    try journal.database.pool.write { db in try db.execute(sql: "DROP TABLE filler") }
  }

  @Test func `cairn vacuum removes free pages, and leaves the content of the database unchanged`() throws {
    var bench = try StoreBench(try database.open())
    try fill(bench, 400)
    try deleteMost(bench, of: 400)
    bench.store.stop()
    let before = try Data(contentsOf: URL(filePath: database.path)).count
    let report = try Compaction.run(database.path)
    #expect(report.before == before && report.after < before, "\(report)")
    let journal = try database.open()
    bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(try journal.integrityFaults().isEmpty)
    #expect(try journal.sessions.count() == 40)
    #expect(try bench.session("s10").id == "s10")
    #expect(try journal.database.pool.read { db in try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") } == 2)
    try bench.post(Trial.page(1), to: "s10")
  }

  @Test func `cairn vacuum fails while a service has the database open`() throws {
    let journal = try database.open()
    defer { journal.close() }
    #expect(throws: BackupFault.journal(.lockedByAnother(path: database.path))) { try Compaction.run(database.path) }
  }

  @Test func `cairn vacuum enables auto_vacuum in an older database`() throws {
    try database.open().close()
    let queue = try DatabaseQueue(path: database.path)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = NONE; VACUUM")
      #expect(try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") == 0)
    }
    try queue.close()
    _ = try Compaction.run(database.path)
    let journal = try database.open()
    defer { journal.close() }
    #expect(try journal.database.pool.read { db in try Int.fetchOne(db, sql: "PRAGMA auto_vacuum") } == 2)
  }
}
