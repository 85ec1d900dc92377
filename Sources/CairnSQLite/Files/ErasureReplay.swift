import CairnJournal
import CairnCrypto
import GRDB

/// Erases from a restored database the data that was deleted or forgotten after its backup was made.
enum ErasureReplay {
  /// Erases everything that is on the list of erasures of `database` from `draft`, which will replace the database. Returns the number of
  /// erased sessions, and the number of sessions whose history was forgotten again.
  static func run(on draft: String, of database: String) throws(BackupFault) -> (erased: Int, forgotten: Int) {
    let list = ErasureList.read(database)
    do {
      let erased = list.deleted.isEmpty ? 0 : try erase(list.deleted, from: draft)
      let forgotten = list.forgotten.isEmpty ? 0 : try forget(list.forgotten, in: draft)
      guard erased + forgotten == 0 || Disk.sync(draft) else { throw BackupFault.failed(path: draft, reason: Disk.reason) }
      return (erased, forgotten)
    } catch let fault as BackupFault {
      throw fault
    } catch {
      throw .journal(SQLiteJournal.fault(error, path: draft))
    }
  }

  private static func erase(_ list: Set<String>, from draft: String) throws -> Int {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      // A draft is discarded if the erasure fails, so no rollback journal is necessary. Deleted data is overwritten.
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
    }
    let queue = try DatabaseQueue(path: draft, configuration: configuration)
    defer { try? queue.close() }
    return try queue.write { db in try erase(list, db) }
  }

  private static func forget(_ list: [String: Int], in draft: String) throws -> Int {
    let pool = try DatabasePool(path: draft, configuration: SQLiteJournal.configuration(readers: 1))
    defer { try? pool.close() }
    let (heads, key) = try pool.writeWithoutTransaction { db in
      // The backup may have been made by an earlier version.
      try MigrationRunner(path: draft, migrations: SQLiteJournal.migrations).run(db)
      let key = try SettingsTable(db).hashKey()
      return (try Heads(db, RowCheck(key)), key)
    }
    let count = try SQLiteJournal(inspecting: pool, at: draft, SecretBox(keys: []), heads, key).erasing.forget(list)
    // The draft is moved without its write-ahead log, so the log is written into the draft first.
    try pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
    return count
  }

  private static func erase(_ list: Set<String>, _ db: Database) throws -> Int {
    let check = RowCheck(try SettingsTable(db).hashKey())
    try db.execute(sql: "CREATE TEMP TABLE erased (number INTEGER PRIMARY KEY, id TEXT NOT NULL)")
    var count = 0
    let rows = try Row.fetchCursor(db, sql: "SELECT number, id FROM sessions")
    while let row = try rows.next() {
      let id: String = row["id"]
      guard list.contains(ErasureList.hash(of: id)) else { continue }
      let number: Int = row["number"]
      try db.execute(sql: "INSERT INTO erased (number, id) VALUES (?, ?)", arguments: [number, id])
      try SQLiteAnswers.blankCreation(of: id, check, db)
      count += 1
    }
    guard count > 0 else { return 0 }
    // The number of the newest entry is recorded as that of a deletion. So the newest number stays the same even if this entry is erased,
    // and no loss is reported.
    try Mark.deleted.set(try OpeningCheck.newest(db).entry, check, db)
    // A backup of an earlier version has fewer tables.
    let tables = ["entries", "snapshots", "heads", "responses", "tombstones", "beginnings", "forgotten"]
    for table in try tables.filter({ try db.tableExists($0) }) {
      try db.execute(sql: "DELETE FROM \(table) WHERE session IN (SELECT number FROM erased)")
    }
    try db.execute(sql: "DELETE FROM secrets WHERE session IN (SELECT id FROM erased)")
    try db.execute(sql: "DELETE FROM sessions WHERE number IN (SELECT number FROM erased)")
    return count
  }
}
