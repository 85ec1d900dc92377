import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite struct `Erasure list` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func restore(_ file: String, to place: String) throws -> Backup.Report {
    try Backup.restore(file, to: place, replacing: true, keys: [database.key], check: { _, _ in [] }) { false }
  }

  @Test func `a restore deletes again what was deleted after the backup`() throws {
    var bench = try StoreBench(try database.open())
    for id in ["a", "b", "c"] { try bench.create(id, label: "label of \(id)", accessToken: "token of \(id)") }
    try bench.post(Trial.page(1), to: "a")
    let backup = try TemporaryDatabase()
    _ = try Backup.make(of: database.path, to: backup.path, replacing: false) { false }
    try bench.delete("a")
    try bench.delete("c")
    bench.store.stop()

    let report = try restore(backup.path, to: database.path)
    #expect(report.erased == 2 && report.sessions == 1)
    let bytes = try Data(contentsOf: URL(filePath: database.path))
    #expect(bytes.range(of: Data("label of b".utf8)) != nil)
    #expect(bytes.range(of: Data("label of a".utf8)) == nil)
    let journal = try database.open()
    bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(throws: StoreFault.self) { try bench.session("a") }
    #expect(try bench.session("b").pages == [0])
    #expect(try journal.sessions.secret(.token, of: "b") == "token of b")
    #expect(try journal.integrityFaults().isEmpty)
    // The revisions continue, so no loss is detected.
    try bench.post(Trial.page(2), to: "b")
  }

  @Test func `the list contains a hash and a time per session, and not its id`() throws {
    let bench = try StoreBench(try database.open())
    try bench.create("a-session-with-a-name")
    try bench.delete("a-session-with-a-name")
    bench.store.stop()
    let text = try String(contentsOfFile: ErasureList.path(database.path), encoding: .utf8)
    let words = text.split(whereSeparator: \.isWhitespace)
    #expect(words.count == 2 && words[1] == ErasureList.hash(of: "a-session-with-a-name"))
    #expect(!text.contains("a-session-with-a-name"))
    // A line that was half written at a power failure is skipped.
    try Data((text + "17000000 0123").utf8).write(to: URL(filePath: ErasureList.path(database.path)))
    #expect(ErasureList.read(database.path).deleted == [ErasureList.hash(of: "a-session-with-a-name")])
  }

  @Test(arguments: [nil, 30]) func `a restore forgets again what was forgotten after the backup`(before: Int?) throws {
    var bench = try StoreBench(try database.open())
    for id in ["a", "b"] { try bench.create(id) }
    for page in 1...40 { for id in ["a", "b"] { try bench.post(Trial.page(page), .action(.pop(count: 1, node: nil)), to: id) } }
    let backup = try TemporaryDatabase()
    _ = try Backup.make(of: database.path, to: backup.path, replacing: false) { false }
    let newest = try bench.session("a").state.revision
    // If everything is forgotten, the session first continues after the backup, so the restored session ends before the first revision that is kept.
    if before == nil { try bench.post(Trial.page(1), to: "a") }
    _ = try awaiting { bench.store.forget("a", before: before, reply: $0) }.get()
    bench.store.stop()

    let report = try restore(backup.path, to: database.path)
    #expect(report.forgotten == 1 && report.erased == 0 && report.sessions == 2)
    let journal = try database.open()
    bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let first = before ?? newest
    #expect(try bench.session("a").beginning == first && bench.session("b").beginning == 0)
    #expect(try bench.history(of: "a").items.map(\.entry.revision) == Array(first..<newest).map { $0 + 1 })
    let left = try journal.database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM entries WHERE session = 1") }
    #expect(left == newest - first)
    #expect(try DatabaseCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) }).faults == [])
    try bench.post(Trial.page(1), to: "a")
    #expect(try bench.history(of: "b").items.count == newest)
  }

  @Test func `a deletion whose commit failed is removed from the list`() throws {
    let journal = try database.open()
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    try bench.create("a")
    try journal.database.pool.write { db in
      try db.execute(sql: "CREATE TEMP TRIGGER refuse BEFORE DELETE ON main.sessions BEGIN SELECT raise(ABORT, 'no'); END")
    }
    #expect(throws: StoreFault.self) { try bench.delete("a") }
    #expect(ErasureList.read(database.path).deleted.isEmpty)
    try journal.database.pool.write { db in try db.execute(sql: "DROP TRIGGER refuse") }
  }
}
