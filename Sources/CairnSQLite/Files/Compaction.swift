import GRDB
import Glibc

/// Rewrites a database without the free pages that deletions have left.
package enum Compaction {
  /// The sizes of the database file before and after the compaction, in bytes.
  package struct Report: Hashable, Sendable {
    package var before: Int
    package var after: Int
  }

  /// Replaces the database by a copy without free pages, completely or not at all. Returns the file sizes before and after. The copy needs
  /// space on the same disk. No service may have the database open.
  package static func run(_ database: String) throws(BackupFault) -> Report {
    let draft = "\(database).draft.\(getpid())"
    defer { unlink(draft) }
    let work = { (db: Database) throws -> Int in
      unlink(draft)
      // The copy gets this setting, so that it can return free pages to the disk incrementally, even if the database was created without it.
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try db.execute(sql: "VACUUM INTO ?", arguments: [draft])
      try bringToDisk(draft, of: database)
      return Disk.size(of: database) ?? 0
    }
    let before = try Maintenance.run(database, work) {
      // The log has been moved into the old database. If it is not empty, another program has the database open.
      guard Disk.size(of: database + "-wal") ?? 0 == 0 else {
        throw BackupFault.failed(path: database, reason: "another program has the database open")
      }
      unlink(database + "-wal")
      unlink(database + "-shm")
      guard rename(draft, database) == 0 else { throw BackupFault.failed(path: database, reason: Disk.reason) }
      Disk.syncDirectory(of: database)
    }
    return Report(before: before, after: Disk.size(of: database) ?? 0)
  }

  private static func bringToDisk(_ draft: String, of database: String) throws {
    let descriptor = open(draft, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw BackupFault.failed(path: draft, reason: Disk.reason) }
    defer { close(descriptor) }
    fchmod(descriptor, 0o600)
    FileOwner.adopt(descriptor, in: Disk.directory(of: database))
    guard fsync(descriptor) == 0 else { throw BackupFault.failed(path: draft, reason: Disk.reason) }
    let copy = try DatabaseQueue(path: draft, configuration: SQLiteJournal.reading)
    defer { try? copy.close() }
    if let fault = try copy.read({ db in try Integrity.faults(db) }).first { throw BackupFault.damaged(path: draft, reason: fault) }
  }
}
