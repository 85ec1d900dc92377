import GRDB

/// Erases from a restored database what was deleted after its backup was made.
enum ErasureReplay {
  /// Erases every session of the list beside `database` from the draft that is to take its place. Returns how many there were.
  static func run(on draft: String, of database: String) throws(BackupFault) -> Int {
    let list = ErasureList.read(database)
    guard !list.isEmpty else { return 0 }
    do {
      var configuration = Configuration()
      configuration.prepareDatabase { db in
        // A draft whose erasure fails is thrown away, so nothing is kept for a way back; what is deleted is overwritten.
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
    try db.execute(sql: "CREATE TEMP TABLE erased (number INTEGER PRIMARY KEY, id TEXT NOT NULL)")
    var count = 0
    let rows = try Row.fetchCursor(db, sql: "SELECT number, id FROM sessions")
    while let row = try rows.next() {
      let id: String = row["id"]
      guard list.contains(ErasureList.hash(of: id)) else { continue }
      let number: Int = row["number"]
      try db.execute(sql: "INSERT INTO erased (number, id) VALUES (?, ?)", arguments: [number, id])
      try SQLiteJournal.blankCreation(of: id, db)
      count += 1
    }
    guard count > 0 else { return 0 }
    // The newest entry is the mark's; erasing it must not look like a loss.
    let newest = try Witness.newest(db)
    try db.execute(sql: "INSERT OR REPLACE INTO marks (name, entry) VALUES ('deleted', ?)", arguments: [newest])
    try JournalSizes.prepare(db)
    for table in ["journal_sizes", "entries", "snapshots", "heads", "answers", "graves"] {
      try db.execute(sql: "DELETE FROM \(table) WHERE session IN (SELECT number FROM erased)")
    }
    try db.execute(sql: "DELETE FROM secrets WHERE session IN (SELECT id FROM erased)")
    try db.execute(sql: "DELETE FROM sessions WHERE number IN (SELECT number FROM erased)")
    return count
  }
}
