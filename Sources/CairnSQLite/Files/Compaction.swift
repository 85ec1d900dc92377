import GRDB
import Glibc

/// Rewrites a database without the free pages that deletions left.
package enum Compaction {
  /// Bytes of the file.
  package struct Report: Hashable, Sendable {
    package var before: Int
    package var after: Int
  }

  /// Replaces the database by a copy without free pages, all or nothing. The copy needs room on the same disk. No
  /// service may have the database open.
  package static func run(_ database: String) throws(BackupFault) -> Report {
    let draft = "\(database).draft.\(getpid())"
    defer { unlink(draft) }
    let work = { (db: Database) throws -> Int in
      unlink(draft)
      // The copy gives pages back as sessions are deleted, also if the database was made before there was that.
      try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
      try db.execute(sql: "VACUUM INTO ?", arguments: [draft])
      try bringToDisk(draft, of: database)
      return Disk.size(of: database) ?? 0
    }
    let before = try Maintenance.run(database, work) {
      // The log was moved into the database that goes; what another program still holds of it belongs to that one.
      guard Disk.size(of: database + "-wal") ?? 0 == 0 else {
        throw BackupFault.failed(path: database, reason: "another program has it open")
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
