import GRDB

/// Erases sessions from a restored database that were deleted after its backup was made.
enum ErasureReplay {
  /// Erases every session on the list beside `database` from the draft that will replace the database. Returns the number of erased sessions.
  static func run(on draft: String, of database: String) throws(BackupFault) -> Int {
    let list = ErasureList.read(database)
    guard !list.isEmpty else { return 0 }
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        // A draft is discarded if the erasure fails, so no rollback journal is necessary. Deleted data is overwritten.
        try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY")
      }
      let queue = try DatabaseQueue(path: draft, configuration: configuration)
      defer { try? queue.close() }
      let count = try queue.write { db in try erase(list, db) }
      guard Disk.sync(draft) else { throw BackupFault.failed(path: draft, reason: Disk.reason) }
      return count
    } catch let fault as BackupFault {
      throw fault
    } catch {
      throw .journal(SQLiteJournal.fault(error, path: draft))
    }
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
      try SQLiteJournal.blankCreation(of: id, check, db)
      count += 1
    }
    guard count > 0 else { return 0 }
    // The mark contains the number of the newest entry. It is recorded as a deletion, so that its erasure is not reported as a loss.
    try Mark.deleted.set(try Witness.newest(db).entry, check, db)
    for table in ["entries", "snapshots", "heads", "responses", "tombstones", "beginnings", "forgotten"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE session IN (SELECT number FROM erased)")
    }
    try db.execute(sql: "DELETE FROM secrets WHERE session IN (SELECT id FROM erased)")
    try db.execute(sql: "DELETE FROM sessions WHERE number IN (SELECT number FROM erased)")
    return count
  }
}
