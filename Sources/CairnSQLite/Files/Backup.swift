import Foundation
import GRDB
import Glibc

/// Copies of a database in use, and their restoration. The secret key is not in a copy: it is kept apart, so that the copy without it
/// reveals no secret.
package enum Backup {
  /// The result of a copy.
  package struct Report: Hashable, Sendable {
    package var sessions: Int
    /// The newest entry in it.
    package var entry: Int
    package var bytes: Int
    /// The name of the key that it is sealed with.
    package var keyID: String?
    /// Where a database that was replaced is now.
    package var replaced: String?
    /// Sessions in the backup that were deleted after it was made, and erased again.
    package var erased = 0
  }

  /// Copies a database, which a service may be writing to, into a file that is whole or not there. `isInterrupted` is asked often.
  package static func make(
    of database: String, to file: String, replacing: Bool, isInterrupted: @escaping () -> Bool
  ) throws(BackupFault) -> Report {
    guard !isSame(database, file) else { throw .itself(path: file) }
    guard replacing || Disk.size(of: file) == nil else { throw .exists(path: file) }
    let copy = try DatabaseCopy(of: database, besides: file, isInterrupted: isInterrupted)
    let report = try report(copy)
    // A link is refused if there is something by now.
    guard (replacing ? rename(copy.draft, file) : link(copy.draft, file)) == 0 else {
      throw errno == EEXIST ? .exists(path: file) : .failed(path: file, reason: Disk.reason)
    }
    Disk.syncDirectory(of: file)
    return report
  }

  /// Replaces a database that no process has open by a backup. An existing one is moved aside with its log, if it may be replaced. `keys`:
  /// those beside the database, if they exist; a backup that is sealed with others is refused.
  package static func restore(
    _ file: String, to database: String, replacing: Bool, keys: [[UInt8]]?, isInterrupted: @escaping () -> Bool
  ) throws(BackupFault) -> Report {
    guard !isSame(database, file) else { throw .itself(path: file) }
    guard Disk.size(of: file) ?? 0 > 0 else { throw .missing(path: file) }
    let lock: DatabaseLock
    do {
      try SQLiteJournal.makeDirectory(of: database)
      lock = try DatabaseLock(database: database)
    } catch {
      throw .journal(error)
    }
    defer { lock.release() }
    let isThere = Disk.size(of: database) ?? 0 > 0
    guard replacing || !isThere else { throw .exists(path: database) }
    let copy = try DatabaseCopy(of: file, besides: database, isInterrupted: isInterrupted)
    var report = try report(copy)
    if let keys { try check(keys, copy, file) }
    report.erased = try ErasureReplay.run(on: copy.draft, of: database)
    report.sessions -= report.erased
    copy.adoptOwner()
    let aside = database + ".replaced"
    if isThere {
      guard rename(database, aside) == 0 else { throw .failed(path: aside, reason: Disk.reason) }
      report.replaced = aside
    }
    // The log of another database must not be there when the new one is.
    unlink(database + "-shm")
    let hasLog = Disk.size(of: database + "-wal") != nil
    unlink(aside + "-wal")
    if hasLog, rename(database + "-wal", aside + "-wal") != 0 { throw .failed(path: aside + "-wal", reason: Disk.reason) }
    do {
      _ = try MarkFile(database, DatabaseMark(id: copy.id, newest: copy.newest, isOpen: false))
    } catch {
      throw .journal(error)
    }
    guard rename(copy.draft, database) == 0 else { throw .failed(path: database, reason: Disk.reason) }
    Disk.syncDirectory(of: database)
    return report
  }

  private static func report(_ copy: borrowing DatabaseCopy) throws(BackupFault) -> Report {
    let (sessions, entry, bytes) = (copy.sessions, copy.newest.entry, copy.bytes)
    let keyID = try look(copy.draft) { db in try Seals.keyID(db) }
    return Report(sessions: sessions, entry: entry, bytes: bytes, keyID: keyID)
  }

  private static func check(_ keys: [[UInt8]], _ copy: borrowing DatabaseCopy, _ file: String) throws(BackupFault) {
    try look(copy.draft) { db in
      guard try Seals.opens(db, SecretBox(keys: keys)) else {
        throw SQLiteJournalError.wrongKey(path: file, given: keys.map { KeyFile.id(of: $0) }, made: try Seals.keyID(db))
      }
    }
  }

  private static func look<Found>(_ path: String, _ find: (Database) throws -> Found) throws(BackupFault) -> Found {
    do {
      let queue = try DatabaseQueue(path: path, configuration: SQLiteJournal.reading)
      defer { try? queue.close() }
      return try queue.read(find)
    } catch {
      throw .journal(SQLiteJournal.fault(error, path: path))
    }
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}
