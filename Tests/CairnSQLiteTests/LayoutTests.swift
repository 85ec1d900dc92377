import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Tests of the tables that are written after the commits, and of reading them again.
@Suite(.tags(.timing), .ownThreads) struct `Deferred writes` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func bench(_ database: TemporaryDatabase? = nil) throws -> (bench: StoreBench, journal: SQLiteJournal) {
    let journal = try (database ?? self.database).open()
    return (try StoreBench(journal), journal)
  }

  @Test func `after a crash, states that no head contains are restored from the entries`() throws {
    let (bench, journal) = try bench()
    defer { bench.store.stop() }
    for id in ["a", "b"] { try bench.create(id) }
    for page in 1...40 { try bench.post(Trial.page(page), to: page % 4 == 0 ? "b" : "a") }
    try bench.delete("b")
    let stale = try journal.database.pool.read { db in
      try Int.fetchOne(db, sql: "SELECT revision FROM heads JOIN sessions ON number = session")
    }
    #expect(stale == 1)
    let before = try bench.session("a")
    let left = try database.crashed()
    let (again, reopened) = try self.bench(left)
    defer { again.store.stop() }
    #expect(reopened.database.heads.withLock { $0.unwritten.keys.sorted() } == ["a"])
    #expect(try again.session("a").state == before.state)
    #expect(throws: StoreFault.self) { try again.session("b") }
    #expect(try again.post(Trial.page(41), to: "a").session.state.revision == before.state.revision + 1)
  }

  @Test func `after a clean stop the heads and the mark are complete`() throws {
    do {
      let (bench, _) = try bench()
      try bench.create("a")
      for page in 1...20 { try bench.post(Trial.page(page), to: "a") }
      bench.store.stop()
    }
    let (bench, journal) = try bench()
    defer { bench.store.stop() }
    #expect(journal.database.heads.withLock { $0.unwritten.isEmpty })
    let mark = try journal.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT entry FROM marks WHERE name = 'flushed'") }
    #expect(mark == 21)
    #expect(try bench.session("a").pages == Array(0...20))
    try bench.post(Trial.page(21), to: "a")
    #expect(try bench.history(of: "a", after: 19, limit: 5).items.map(\.entry.revision) == [20, 21, 22])
  }

  @Test func `a generation of heads is written in slices, and the mark with the last slice`() throws {
    var heads = Heads(nextSession: 1, nextResponse: 1, newest: NewestEntry(entry: 0, hash: 0), flushed: 0, changed: [:])
    for number in 1...30_000 {
      for _ in 1...4 {
        let entry = heads.newEntry()
        heads.move("s\(number)", to: Head(number: number, revision: entry, entry: entry, hash: 1, updatedAt: 0, due: nil, since: nil))
      }
    }
    var written: [Int] = []
    var marks: [Int] = []
    while let slice = heads.slice(1_000) {
      // One session changes in the meantime, and one is deleted.
      if written.isEmpty {
        heads.move("s20000", to: Head(number: 20_000, revision: 9, entry: heads.newEntry(), hash: 1, updatedAt: 0, due: nil, since: nil))
        heads.forget("s25000")
      }
      written += slice.heads.filter { heads.isWanted($0.id) }.map(\.head.number)
      if let mark = slice.mark { marks.append(mark) }
      heads.wrote(slice)
    }
    let isWhole = written == (1...30_000).filter { $0 != 20_000 && $0 != 25_000 }
    #expect(isWhole)
    #expect(marks == [120_000])
    #expect(heads.flushed == 120_000)
    #expect(heads.unwritten.keys.sorted() == ["s20000"])
  }

  @Test func `a snapshot that is damaged or in a newer format is rebuilt from the entries`() throws {
    let (bench, journal) = try bench()
    defer { bench.store.stop() }
    try bench.create("a")
    for page in 1...60 { try bench.post(Trial.page(page), to: "a") }
    let before = try bench.session("a").state
    #expect(try journal.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM snapshots") } ?? 0 >= 2)
    try journal.database.pool.write { db in
      try db.execute(sql: "UPDATE snapshots SET state = CAST('{\"r\":' AS BLOB) WHERE revision = (SELECT max(revision) FROM snapshots)")
      try db.execute(sql: "UPDATE snapshots SET format = 99 WHERE revision < (SELECT max(revision) FROM snapshots)")
    }
    #expect(try journal.sessions.session("a")?.state == before)
    #expect(try journal.history.past(of: "a", at: 50)?.state.revision == 50)
  }

  @Test func `pages and old revisions of a long session read a bounded number of rows`() throws {
    let (bench, journal) = try bench()
    defer { bench.store.stop() }
    try bench.create("a")
    for _ in 1...500 {
      try bench.post(Trial.page(1), .action(.pop(count: 1, node: nil)), Trial.page(2), .action(.pop(count: 1, node: nil)), to: "a")
    }
    let newest = try bench.session("a").state.revision
    #expect(newest == 2_001)
    func rows(_ work: () throws -> Void) rethrows -> Int {
      let before = journal.database.rowsRead.withLock { $0 }
      try work()
      return journal.database.rowsRead.withLock { $0 } - before
    }
    for revision in [1, 2, 20, 777, 1_990, 2_000] {
      let read = try rows { _ = try bench.session("a", at: revision) }
      #expect(read < 80)
    }
    let last = try rows { _ = try bench.history(of: "a", after: newest - 20, limit: 20) }
    #expect(last < 100)
    let middle = try rows { _ = try bench.history(of: "a", after: 1_000, limit: 10) }
    #expect(middle < 100)
    let posted = try rows { try bench.post(Trial.page(3), to: "a") }
    #expect(posted == 0)
    let deleted = try rows { try bench.delete("a") }
    #expect(deleted == 0)
  }

  @Test func `a deleted session is erased a few rows per commit, also after a crash in between`() throws {
    let (bench, journal) = try bench()
    try bench.create("a", label: "label-to-be-forgotten")
    try bench.create("b")
    let commands = (1...100).flatMap { [Trial.page($0), Command.action(.pop(count: 1, node: nil))] }
    for _ in 1...8 { _ = try awaiting { bench.store.post(commands, to: "a", reply: $0) }.get() }
    bench.store.stop()
    let pool = try DatabasePool(path: database.path)
    var commits = 0
    try pool.write { db in try db.execute(sql: "INSERT INTO tombstones SELECT session, entry FROM heads WHERE session = 1") }
    try pool.write { db in
      try db.execute(sql: "DELETE FROM heads WHERE session = 1")
      try db.execute(sql: "DELETE FROM sessions WHERE number = 1")
    }
    while try pool.write({ db in try SQLiteErasing.erase(db) }) {
      commits += 1
      // The next start finds a partly erased session.
      if commits == 2 { break }
    }
    try pool.close()
    _ = journal
    let (again, reopened) = try self.bench()
    reopened.sweeper.finish(until: TestTimeout.deadline)
    let rows = try reopened.database.pool.read { db in
      try ["entries", "snapshots", "tombstones"].map { try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") }
    }
    #expect(rows == [1, 0, 0])
    #expect(try database.bytes().range(of: Data("label-to-be-forgotten".utf8)) == nil)
    #expect(try database.bytes().range(of: Data("openPage".utf8)) == nil)
    #expect(try again.session("b").pages == [0])
    again.store.stop()
  }

  @Test func `a session whose entries cannot be written does not fail the others of the batch`() throws {
    let (bench, journal) = try bench()
    defer { bench.store.stop() }
    for id in ["a", "b"] { try bench.create(id) }
    try journal.database.pool.write { db in
      try db.execute(
        sql: "CREATE TEMP TRIGGER refuse BEFORE INSERT ON main.entries WHEN new.session = 1 BEGIN SELECT raise(ABORT, 'no'); END")
    }
    let sessions = try ["a", "b"].map { try bench.session($0) }
    let writes = try sessions.map { session in
      var state = session.state
      let stamp = Stamp(time: 5, nonce: "n")
      let action = Action.step(Step("openPage", params: ["n": 5]), from: nil)
      _ = try session.definition.reducer.reduce(&state, action, stamp: stamp)
      let entry = JournalEntry(Entry(revision: 2, stamp: stamp, cause: .action(action)), from: session.state, to: state)
      return SessionWrite(
        SessionRecord(
          id: session.id, app: "trial", definition: session.definition.hash, label: nil, createdAt: 0, updatedAt: 5, secretHash: [],
          state: state), after: 1, entries: [entry])
    }
    let faults = try journal.writer.commit(JournalBatch(sessions: writes))
    #expect(Array(faults.keys) == ["a"])
    #expect(try journal.sessions.session("a")?.state.revision == 1)
    #expect(try journal.sessions.session("b")?.state.revision == 2)
  }
}
