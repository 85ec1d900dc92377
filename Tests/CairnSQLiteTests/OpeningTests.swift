import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Foundation
import GRDB
import Testing

@testable import CairnSQLite

@Suite(.tags(.timing), .ownThreads) struct `Opening a database` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  /// The error of opening the database, or `nil` on success.
  private func fault(
    path: String? = nil, key: [UInt8]? = nil, migrations: [(name: String, sql: String)]? = nil
  ) -> SQLiteJournalError? {
    do throws(SQLiteJournalError) {
      let journal =
        if let migrations {
          try SQLiteJournal(path: path ?? database.path, keys: [key ?? database.key], migrations: migrations)
        } else {
          try SQLiteJournal(path: path ?? database.path, keys: [key ?? database.key])
        }
      journal.close()
      return nil
    } catch {
      return error
    }
  }

  private func write(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: database.path)) }

  @Test func `a missing directory is created, and the files are readable only by the owner`() throws {
    let path = database.directory.appending(path: "deep/er/cairn.db").path
    let journal = try SQLiteJournal(path: path, keys: [database.key])
    defer { journal.close() }
    try journal.writer.probe()
    for file in [path, path + "-wal", path + ".lock"] {
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(file)")
    }
  }

  @Test func `the connection has the settings that durable commits need`() throws {
    let journal = try database.open()
    defer { journal.close() }
    let found = try journal.database.pool.writeWithoutTransaction { db in
      try ["journal_mode", "synchronous", "wal_autocheckpoint", "secure_delete"].map {
        try String.fetchOne(db, sql: "PRAGMA \($0)")
      }
    }
    #expect(found == ["wal", "2", "0", "1"])
  }

  @Test func `a second process gets the error that the database is in use, and the first continues`() throws {
    let journal = try database.open()
    defer { journal.close() }
    #expect(fault() == .lockedByAnother(path: database.path))
    try journal.writer.probe()
  }

  @Test func `a closed and dropped journal can be opened again`() throws {
    do { try database.open().close() }
    #expect(fault() == nil)
  }

  @Test func `a path below a file is rejected`() throws {
    try write(Data("x".utf8))
    let path = database.path + "/cairn.db"
    guard case .directory? = fault(path: path) else {
      Issue.record("\(String(describing: fault(path: path)))")
      return
    }
  }

  @Test func `a directory in place of the database is rejected`() throws {
    #expect(fault(path: database.directory.path) != nil)
  }

  @Test func `a file that is no database is rejected and left unchanged`() throws {
    let text = Data("This is a letter, not a database, and it is long enough to have a header.".utf8)
    try write(text)
    #expect(fault() == .notADatabase(path: database.path))
    #expect(try Data(contentsOf: URL(fileURLWithPath: database.path)) == text)
  }

  @Test func `a file that is shorter than a header is rejected`() throws {
    try write(Data("SQLite".utf8))
    #expect(fault() == .notADatabase(path: database.path))
  }

  @Test func `an empty file becomes a database`() throws {
    try write(Data())
    #expect(fault() == nil)
  }

  @Test func `a database with a damaged page is rejected`() throws {
    try database.open().close()
    var data = try Data(contentsOf: URL(fileURLWithPath: database.path))
    data.replaceSubrange(100..<4_000, with: Data(repeating: 0xAB, count: 3_900))
    try write(data)
    guard case .corrupt? = fault() else {
      Issue.record("\(String(describing: fault()))")
      return
    }
  }

  @Test func `the database of another program is rejected`() throws {
    try database.change("CREATE TABLE notes (text TEXT)")
    #expect(fault() == .foreign(path: database.path))
  }

  @Test func `definitions in the words of an earlier version are rejected, with their number and apps`() throws {
    #expect(fault(migrations: Array(SQLiteJournal.migrations.prefix(5))) == nil)
    let queue = try DatabaseQueue(path: database.path)
    try queue.write { db in
      for (app, name) in [("bank", "000000000001"), ("bank", "000000000002"), ("shop", "000000000001")] {
        try db.execute(
          sql: "INSERT INTO documents (kind, app, name, version, body, \"check\") VALUES ('edition', ?, ?, 1, '{}', 0)",
          arguments: [app, name])
      }
    }
    try queue.close()
    #expect(fault() == .earlierLanguage(path: database.path, definitions: 3, apps: ["bank", "shop"]))
  }

  @Test func `a newer format is rejected before the database is written`() throws {
    let newer = SQLiteJournal.migrations + [("0099_later", "CREATE TABLE later (x INTEGER) STRICT;")]
    #expect(fault(migrations: newer) == nil)
    let before = try database.bytes(of: ["", "-wal", ".mark", ".key"])
    #expect(fault() == .newerFormat(path: database.path, format: 7, known: 6))
    #expect(throws: SQLiteJournalError.newerFormat(path: database.path, format: 7, known: 6)) { try SQLiteJournal.outlook(database.path) }
    #expect(try database.bytes(of: ["", "-wal", ".mark", ".key"]) == before)
    #expect(fault(migrations: newer) == nil)
  }

  @Test(arguments: ["entries", "snapshots"]) func `a newest row in a newer format prevents a start before the database is written`(
    table: String
  ) throws {
    let bench = try StoreBench(try database.open())
    try bench.create("a")
    for page in 1...40 { try bench.post(Trial.page(page), to: "a") }
    bench.store.stop()
    try change("UPDATE \(table) SET format = 7 WHERE revision = (SELECT max(revision) FROM \(table))")
    let before = try database.bytes(of: ["", "-wal", ".mark", ".key"])
    #expect(fault() == .newerFormat(path: database.path, format: 7, known: 3))
    #expect(try database.bytes(of: ["", "-wal", ".mark", ".key"]) == before)
  }

  @Test(arguments: ["entries", "snapshots"]) func `a newest row in an earlier format prevents a start, with the remedy`(
    table: String
  ) throws {
    let bench = try StoreBench(try database.open())
    try bench.create("a")
    for page in 1...40 { try bench.post(Trial.page(page), to: "a") }
    bench.store.stop()
    try change("UPDATE \(table) SET format = 1")
    let before = try database.bytes(of: ["", "-wal", ".mark", ".key"])
    let found = fault()
    #expect(found == .earlierBuild(path: database.path))
    #expect(found?.description.contains("use another path") == true)
    #expect(try database.bytes(of: ["", "-wal", ".mark", ".key"]) == before)
  }

  @Test func `a database with editions in an earlier table is rejected, and left unchanged`() throws {
    let queue = try DatabaseQueue(path: database.path)
    try queue.inDatabase { db in
      try MigrationRunner(path: database.path, migrations: Array(SQLiteJournal.migrations.prefix(3))).run(db)
      try db.execute(
        sql: """
          INSERT INTO definitions VALUES ('hash', 'text');
          INSERT INTO editions (app, definition, since, "check") VALUES ('trial', 'hash', 5, 0);
          """)
    }
    try queue.close()
    let before = try database.bytes(of: ["", "-wal", ".mark"])
    #expect(fault() == .earlierBuild(path: database.path))
    #expect(try database.bytes(of: ["", "-wal", ".mark"]) == before)
  }

  @Test func `a database of an earlier build is rejected with the remedy, and left unchanged`() throws {
    let queue = try DatabaseQueue(path: database.path)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE migrations (name TEXT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL) STRICT;
          CREATE TABLE definitions (hash TEXT); CREATE TABLE sessions (number INTEGER PRIMARY KEY); CREATE TABLE entries (number INTEGER);
          INSERT INTO migrations VALUES ('0001_sessions', 'x');
          """)
    }
    try queue.close()
    // The mark of that build contained no hash.
    try Data("cairn 1 0f 0 7 closed 0123456789abcdef\n".utf8).write(to: URL(filePath: database.path + ".mark"))
    let before = try database.bytes(of: ["", "-wal", ".mark"])
    let found = fault()
    #expect(found == .earlierBuild(path: database.path))
    #expect(found?.description.contains("use another path") == true)
    #expect(throws: SQLiteJournalError.earlierBuild(path: database.path)) { try SQLiteJournal.outlook(database.path) }
    #expect(try database.bytes(of: ["", "-wal", ".mark"]) == before)
  }

  @Test func `the header of the file names the program and the format`() throws {
    try database.open().close()
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: database.path)))
    func number(at place: Int) -> Int { bytes[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(at: 68) == 0x4372_6E31)
    #expect(number(at: 60) == SQLiteJournal.migrations.count)
  }

  private func change(_ sql: String) throws {
    try database.change(sql)
  }

  @Test func `a migration with a changed text is rejected`() throws {
    #expect(fault() == nil)
    let changed = SQLiteJournal.migrations.map { ($0.name, $0.sql + "\n-- a word more") }
    #expect(fault(migrations: changed) == .changedMigration(path: database.path, migration: "0001_journal"))
  }

  @Test func `a further migration is applied to existing data`() throws {
    do {
      let journal = try database.open()
      try journal.writer.commit(JournalBatch(definitions: ["hash": "text"]))
      journal.close()
    }
    let further = SQLiteJournal.migrations + [("0099_later", "ALTER TABLE definitions ADD COLUMN note TEXT;")]
    let journal = try SQLiteJournal(path: database.path, keys: [database.key], migrations: further)
    defer { journal.close() }
    #expect(try journal.documents.definition("hash") == "text")
  }

  @Test func `a failed migration leaves the previous schema`() throws {
    let broken = SQLiteJournal.migrations + [("0099_later", "CREATE TABLE half (x INTEGER) STRICT; CREATE TABL")]
    #expect(fault(migrations: broken) != nil)
    #expect(fault() == nil)
  }

  @Test func `another key is rejected, and the right key works afterwards`() throws {
    #expect(fault() == nil)
    let other = [UInt8](repeating: 8, count: 32)
    #expect(
      fault(key: other)
        == .wrongKey(path: database.path, given: [KeyFile.id(of: other)], made: KeyFile.id(of: database.key)))
    #expect(fault() == nil)
  }

  @Test func `each fault is described in one line that names the file`() {
    let faults: [SQLiteJournalError] = [
      .directory(path: "/p/db", reason: "r"), .lockedByAnother(path: "/p/db"), .notADatabase(path: "/p/db"),
      .corrupt(path: "/p/db", reason: "r"), .foreign(path: "/p/db"), .newerFormat(path: "/p/db", format: 3, known: 2),
      .earlierBuild(path: "/p/db"),
      .changedMigration(path: "/p/db", migration: "m"), .wrongKey(path: "/p/db", given: ["1"], made: "2"), .lost(path: "/p/db", .log),
      .notDurable(path: "/p/db", reason: "r"),
      .notOpened(path: "/p/db", reason: "r"),
    ]
    for fault in faults {
      #expect(fault.description.hasPrefix("/p/db: "))
      #expect(!fault.description.contains("\n"))
    }
  }
}
