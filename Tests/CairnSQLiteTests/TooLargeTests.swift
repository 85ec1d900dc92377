import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import GRDB
import GRDBSQLite
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `A session that exceeds a limit of SQLite` {
  private func write(_ id: String, _ size: Int) -> SessionWrite {
    var state = StateFormat.empty
    state.revision = 1
    state.facts["note"] = .string(String(repeating: "x", count: size))
    let record = SessionRecord(
      id: id, app: "trial", definition: Trial.pinned().hash, label: nil, createdAt: 1, updatedAt: 1, secretHash: [1], state: state)
    let entry = Entry(revision: 1, stamp: Stamp(time: 1, nonce: "n"), cause: .creation(Creation()))
    return SessionWrite(record, after: 0, entries: [JournalEntry(entry, from: StateFormat.empty, to: state)])
  }

  @Test(arguments: [1, 3]) func `a session over the limit fails, and the others of its batch are committed`(count: Int) throws {
    let database = try TemporaryDatabase()
    defer { withExtendedLifetime(database) {} }
    let journal = try database.open()
    defer { journal.close() }
    journal.database.pool.writeWithoutTransaction { db in _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 50_000) }
    var batch = JournalBatch()
    batch.definitions[Trial.pinned().hash] = "{}"
    batch.sessions = (1..<count).map { write("s\($0)", 100) } + [write("large", 60_000)]
    #expect(try journal.writer.commit(batch) == ["large": .tooLarge(session: "large")])
    for number in 1..<count { #expect(try journal.sessions.session("s\(number)") != nil) }
    #expect(try journal.sessions.session("large") == nil)
    try journal.writer.probe()
  }

  /// Exceeds the limit with a single large entry, or gradually until a snapshot is due.
  @Test(arguments: [900, 60]) func `the response reports a session that is too large, and other sessions continue`(pages: Int) throws {
    let database = try TemporaryDatabase()
    defer { withExtendedLifetime(database) {} }
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    for id in ["a", "b"] {
      try bench.create(id)
      try bench.post(Trial.page(1), to: id)
    }
    journal.database.pool.writeWithoutTransaction { db in _ = sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, 20_000) }
    let many = (1...pages).map { Trial.page($0) }
    var refused = false
    for _ in 0..<(900 / pages) where !refused {
      switch try awaiting({ bench.store.post(many, to: "a", reply: $0) }) {
      case .success: break
      case .failure(let fault):
        refused = true
        #expect(fault.word.hasPrefix("refused session-too-large"))
      }
      try bench.post(Trial.page(1), to: "b")
    }
    #expect(refused)
    #expect(bench.store.figures.journalFault == nil)
    let before = try bench.session("a")
    try bench.post(.action(.popToRoot), to: "a")
    #expect(try bench.session("a").state.revision == before.state.revision + 1)
  }
}
