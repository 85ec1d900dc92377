import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Writes the highest and the lowest integer, and a negative one, into each integer column of each table with data of sessions, in one row at a time. The
/// database opens and other sessions continue; at worst, the damaged session is unreadable.
@Suite struct `Damaged numbers in rows` {
  private let database: TemporaryDatabase
  private let whole: Data

  init() throws {
    database = try TemporaryDatabase()
    let bench = try StoreBench(try database.open())
    for id in ["a", "b"] { try bench.create(id, label: id, accessToken: "token") }
    for page in 1...24 { for id in ["a", "b"] { try bench.post(Trial.page(page), to: id) } }
    try bench.postOnce(Trial.page(1), to: "a", key: RequestKey(name: Fingerprint([1]), print: Fingerprint([9])))
    _ = try awaiting { bench.store.forget("a", before: 5, reply: $0) }.get()
    // The newest entry belongs to the other session, so that no acknowledged entry is missing if one of the first entries is lost.
    try bench.post(Trial.page(25), to: "b")
    bench.store.stop()
    whole = try Data(contentsOf: URL(filePath: database.path))
  }

  private func restore() throws {
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + suffix) }
    try whole.write(to: URL(filePath: database.path))
    try? FileManager.default.removeItem(atPath: database.path + ".mark")
  }

  private func change(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: database.path, configuration: configuration)
    _ = queue.writeWithoutTransaction { db in try? db.execute(sql: sql) }
    try queue.close()
  }

  private func columns() throws -> [(table: String, column: String, condition: String)] {
    let queue = try DatabaseQueue(path: database.path, configuration: SQLiteJournal.reading)
    defer { try? queue.close() }
    // The session `a` has the number 1.
    let conditions = [
      "sessions": "number = 1", "heads": "session = 1", "entries": "session = 1", "snapshots": "session = 1", "beginnings": "session = 1",
      "responses": "session = 1",
    ]
    return try queue.read { db in
      try conditions.sorted { $0.key < $1.key }.flatMap { table, condition in
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)') WHERE type = 'INTEGER'").map {
          (table, $0, "rowid = (SELECT max(rowid) FROM \(table) WHERE \(condition))")
        }
      }
    }
  }

  @Test func `the database opens, all sessions are listed, and the others go on`() throws {
    let columns = try columns()
    #expect(columns.count > 30)
    for (table, column, condition) in columns {
      for number in [Int.max, Int.min, -1] {
        try restore()
        try change("UPDATE \(table) SET \"\(column)\" = \(number) WHERE \(condition)")
        let bench: StoreBench
        do {
          bench = try StoreBench(try database.open())
        } catch {
          Issue.record("\(table).\(column) = \(number): \(error)")
          continue
        }
        defer { bench.store.stop() }
        let listed: Result<SessionList<String>, StoreFault> = try awaiting { reply in
          bench.store.sessions(SessionQuery(limit: 100), as: { (session) throws(StoreFault) in (session.id, 1) }, reply: reply)
        }
        #expect((try? listed.get()) != nil, "\(table).\(column) = \(number)")
        let own: Result<Session, StoreFault> = try awaiting { bench.store.session("a", reply: $0) }
        if case .failure(.storage) = own {} else { #expect(throws: Never.self) { _ = try own.get() } }
        _ = try? bench.post(Trial.page(3), to: "a")
        #expect(throws: Never.self, "\(table).\(column) = \(number)") { _ = try bench.post(Trial.page(2), to: "b") }
      }
    }
  }
}
