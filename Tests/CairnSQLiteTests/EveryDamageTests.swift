import CairnCore
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

/// Damages a database in one place at a time. `cairn verify` must find the damage, unless no row has changed.
@Suite struct `Damage in any place` {
  let database: TemporaryDatabase

  init() throws {
    database = try TemporaryDatabase()
    let journal = try database.open()
    let bench = try StoreBench(journal)
    for id in ["a", "b", "c", "d"] { try bench.create(id, label: "label of \(id)", accessToken: "token of \(id)") }
    for page in 1...24 { for id in ["a", "b", "d"] { try bench.post(Trial.page(page), to: id) } }
    try bench.createOnce("e", print: Fingerprint([5]))
    for number in 1...3 {
      let key = RequestKey(name: Fingerprint([UInt8(number)]), print: Fingerprint([9]))
      try bench.postOnce(Trial.page(number), to: "c", key: key)
    }
    let edition = Edition(app: "trial", definition: "hash-of-trial", since: 5, author: "eve", above: "hash-of-trial")
    let store = bench.store
    let published: Result<Void, StoreFault> = try awaiting {
      store.releases.publish([edition, edition], texts: [:], after: [:], reply: $0)
    }
    _ = try published.get()
    let migration = StoredMigration(
      app: "trial", from: "hash-of-trial", to: "hash-of-trial", document: "{}", since: 5, author: "eve")
    let rollout = Rollout(
      app: "trial", from: "hash-of-trial", to: "hash-of-trial", moment: nil, rate: 1, isDryRun: true, since: 5, author: "eve")
    let began: Result<Rollout, StoreFault> = try awaiting { store.releases.keep(rollout, after: 0, reply: $0) }
    _ = try began.get()
    let kept: Result<Void, StoreFault> = try awaiting { store.releases.keep(migration, reply: $0) }
    _ = try kept.get()
    _ = try awaiting { bench.store.forget("b", before: 5, reply: $0) }.get()
    try bench.delete("c")
    try wait(until: { !journal.figures.isErasing })
    bench.store.stop()
    // The rows of a deleted session whose entries have not been erased yet.
    try change(
      """
      INSERT INTO forgotten SELECT session, number FROM entries WHERE session = 4 AND revision = 3;
      INSERT INTO tombstones SELECT session, entry FROM heads WHERE session = 4; DELETE FROM heads WHERE session = 4;
      DELETE FROM secrets WHERE session = 'd'; DELETE FROM sessions WHERE number = 4
      """)
  }

  private func change(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: database.path, configuration: configuration)
    try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
    try queue.close()
  }

  private func read<Found>(_ find: (Database) throws -> Found) throws -> Found {
    let queue = try DatabaseQueue(path: database.path, configuration: SQLiteJournal.reading)
    defer { try? queue.close() }
    return try queue.read(find)
  }

  /// The faults that `cairn verify` prints. Contains only the error if the database cannot be opened.
  private func faults() throws -> [String] {
    let journal: SQLiteJournal
    do {
      journal = try SQLiteJournal(inspecting: database.path, keys: [database.key])
    } catch {
      return ["\(error)"]
    }
    defer { journal.close() }
    do {
      return try DatabaseCheck(journal, opensSecrets: true, definitions: { try Trial.read($0) }).faults
    } catch {
      // A database that cannot be checked counts as a fault.
      return ["\(error)"]
    }
  }

  private func keep() throws -> Data { try Data(contentsOf: URL(filePath: database.path)) }

  private func put(_ bytes: Data) throws {
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + suffix) }
    try bytes.write(to: URL(filePath: database.path))
  }

  /// All rows of all tables, except for the entries and snapshots of the deleted session, which are never read.
  private func rows() throws -> [String] {
    try read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").flatMap { table in
        let condition = ["entries", "snapshots"].contains(table) ? " WHERE session <> 4" : ""
        return try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\"\(condition) ORDER BY 1, 2").map {
          "\(table) \($0.map { "\($0.0)=\($0.1.storage)" })"
        }
      }
    }
  }

  @Test func `an undamaged database has no faults`() throws {
    #expect(try faults() == [])
    #expect(try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM snapshots") ?? 0 } >= 3)
  }

  @Test func `a changed value is found in each column of each table, in the first, a middle and the last row`() throws {
    let whole = try keep()
    let columns = try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT s.name AS tbl, c.name AS col, c.type AS type FROM sqlite_schema s JOIN pragma_table_info(s.name) c
          WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%' ORDER BY 1, c.cid
          """
      ).map { (table: $0["tbl"] as String, column: $0["col"] as String, type: $0["type"] as String) }
    }
    #expect(Set(columns.map(\.table)).count == 14)
    for (table, column, type) in columns {
      // The row is identified by the columns of its primary key.
      let keys = try read { db in
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)') WHERE pk > 0 ORDER BY pk")
      }
      let isWithoutRowID = ["settings", "marks", "secrets", "migrations", "definitions", "documents", "forgotten"].contains(table)
      let key = isWithoutRowID ? keys.map { "\"\($0)\"" }.joined(separator: ", ") : "rowid"
      // The remaining rows of a deleted session are never read.
      let rows = table == "entries" ? "(SELECT rowid, * FROM entries WHERE session <> 4)" : table
      let count = try read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM \(rows)") ?? 0 }
      #expect(count > 0, "\(table) has no row to damage")
      for row in Set([0, count / 2, count - 1]) {
        let changed =
          type == "INTEGER"
          ? "coalesce(\"\(column)\", 0) + 1000"
          : """
          CAST(substr(coalesce("\(column)", ''), 1, length(coalesce("\(column)", 'x')) - 1)
            || CASE CAST(substr("\(column)", -1) AS TEXT) WHEN 'x' THEN 'y' ELSE 'x' END AS \(type))
          """
        let name = try read { db in
          try Row.fetchOne(db, sql: "SELECT * FROM \(rows) ORDER BY \(key) LIMIT 1 OFFSET \(row)")?.description ?? ""
        }
        let condition = keys.map { "\"\($0)\" = (SELECT \"\($0)\" FROM \(rows) ORDER BY \(key) LIMIT 1 OFFSET \(row))" }
        try change("UPDATE \(table) SET \"\(column)\" = \(changed) WHERE \(condition.joined(separator: " AND "))")
        #expect(try !faults().isEmpty, "\(table).\(column) of \(name)")
        try put(whole)
      }
    }
  }

  @Test func `each of 60 flipped bits is found, or has changed no row`() throws {
    let (whole, before) = (try keep(), try rows())
    var chance = Chance(seed: 60)
    var found = 0
    for _ in 0..<60 {
      var bytes = whole
      // Half of the file is empty, so a byte other than zero is chosen.
      var place = 0
      repeat { place = Int.random(in: 0..<bytes.count, using: &chance) } while bytes[place] == 0
      let bit = Int.random(in: 0..<8, using: &chance)
      bytes[place] ^= 1 << UInt8(bit)
      try put(bytes)
      if try !faults().isEmpty {
        found += 1
      } else {
        let now = try rows()
        #expect(now == before, "bit \(bit) of byte \(place): \(Set(now).symmetricDifference(before))")
      }
    }
    // The other flipped bits are in unused parts of pages, and in header fields that SQLite recomputes.
    #expect(found >= 40, "\(found) of 60")
  }

  @Test(arguments: ["entries", "heads", "sessions", "tombstones", "secrets", "definitions", "migrations", "documents"])
  func `a missing row is found`(table: String) throws {
    let key = ["secrets": "session", "documents": "kind"][table] ?? "rowid"
    try change("DELETE FROM \(table) WHERE \(key) = (SELECT max(\(key)) FROM \(table))")
    #expect(try !faults().isEmpty)
  }

  @Test func `the tables of Litestream are no damage, and others are`() throws {
    try change("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE _litestream_lock (id INTEGER)")
    #expect(try faults() == [])
    try change("CREATE TABLE stranger (id INTEGER)")
    #expect(try faults().count == 1)
  }

  @Test(arguments: ["id", "key", "derivation", "hashKey"]) func `a missing setting is found, and prevents a start`(
    name: String
  ) throws {
    try change("DELETE FROM settings WHERE name = '\(name)'")
    #expect(try !faults().isEmpty)
    #expect(throws: SQLiteJournalError.self) { try database.open() }
  }

  @Test func `a head that was set back to an older entry is found`() throws {
    try change(
      """
      UPDATE heads SET (revision, entry, hash, updated_at) =
        (SELECT revision, number, hash, at FROM entries WHERE session = 1 AND revision = 24) WHERE session = 1
      """)
    #expect(try faults() == ["session a: its head is entry 24, but its newest entry is 25"])
  }

  @Test func `a cyclic chain of entries fails only its session, is found, and delays no stop`() throws {
    try change("UPDATE entries SET previous = number WHERE session = 2 AND revision = 9; DELETE FROM snapshots WHERE session = 2")
    let found = try faults()
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("session b: ") }, "\(found)")
    let bench = try StoreBench(try database.open(), limits: StoreLimits(sampling: 1, samplingRest: 0))
    #expect(throws: StoreFault.self) { try bench.session("b") }
    #expect(throws: StoreFault.self) { try bench.session("b", at: 20) }
    #expect(throws: StoreFault.self) { try bench.history(of: "b") }
    #expect(try bench.session("a", at: 20).state.revision == 20)
    #expect(try bench.history(of: "a").items.count == 25)
    #expect(try bench.post(Trial.page(1), to: "a").session.state.revision == 26)
    let (store, stopped) = (bench.store, Awaited<Bool>())
    _ = try NamedThread("stopper") {
      store.stop()
      stopped.give(true)
    }
    _ = try stopped.value(for: "the end of a stop")
  }

  @Test func `the damaged chain of a deleted session is erased completely, and nothing else is`() throws {
    try change("UPDATE entries SET previous = (SELECT max(number) FROM entries WHERE session = 1) WHERE session = 4 AND revision = 9")
    let journal = try database.open()
    journal.sweeper.finish(until: TestTimeout.deadline)
    let left = try journal.database.pool.read { db in
      try Row.fetchAll(db, sql: "SELECT session, count(*) AS n FROM entries GROUP BY session").map {
        "\($0["session"] as Int) \($0["n"] as Int)"
      }
    }
    journal.close()
    #expect(left == ["1 25", "2 20", "5 1"])
    #expect(try faults() == [])
  }

  @Test func `a database that was continued from an older copy is rejected because of its mark`() throws {
    let copy = try keep()
    for turn in 1...2 {
      if turn == 2 {
        let mark = try Data(contentsOf: URL(filePath: database.path + ".mark"))
        try put(copy)
        try FileManager.default.removeItem(atPath: database.path + ".mark")
        let bench = try StoreBench(try database.open())
        try bench.post(Trial.page(2), .action(.pop(count: 1, node: nil)), to: "a")
        bench.store.stop()
        try mark.write(to: URL(filePath: database.path + ".mark"))
      } else {
        let bench = try StoreBench(try database.open())
        try bench.post(Trial.page(1), to: "a")
        bench.store.stop()
      }
    }
    #expect { try database.open() } throws: { error in
      if case .lost(_, .otherEntry)? = error as? SQLiteJournalError { true } else { false }
    }
    try database.open(acceptsLoss: true).close()
  }
}
