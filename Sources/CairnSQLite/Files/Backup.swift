import CairnCrypto
import CairnJournal
import Foundation
import GRDB
import Glibc

/// Makes copies of a database, which may be in use, and restores them. A copy does not contain the secret key, so it does not reveal the secrets.
package enum Backup {
  /// The result of making or restoring a backup.
  package struct Report: Hashable, Sendable {
    package var sessions: Int
    /// The number of the newest entry in the copy.
    package var entry: Int
    package var bytes: Int
    /// The name of the key with which the copy's secrets are encrypted.
    package var keyID: String?
    /// The new path of the database that was replaced; `nil` if no database was replaced.
    package var replaced: String?
    /// The number of sessions that were deleted after the backup was made, and have been erased from the restored database.
    package var erased = 0
    /// The number of sessions whose history was forgotten after the backup was made, and has been forgotten again in the restored database.
    package var forgotten = 0
    /// The faults that the check of the contents found, one line each.
    package var findings: [String] = []
  }

  /// The check of a backup's contents. Returns one line per fault.
  package typealias ContentCheck = (_ journal: SQLiteJournal, _ isWanted: @escaping () -> Bool) throws -> [String]

  /// Copies a database, which may be in use, to a file. The file appears completely or not at all. `isInterrupted` is called often; when it returns `true`,
  /// the copy is abandoned, and `.interrupted` is thrown.
  package static func make(
    of database: String, to file: String, replacing: Bool, isInterrupted: @escaping () -> Bool
  ) throws(BackupFault) -> Report {
    guard !isSame(database, file) else { throw .itself(path: file) }
    guard replacing || Disk.size(of: file) == nil else { throw .exists(path: file) }
    let copy = try DatabaseCopy(of: database, besides: file, isInterrupted: isInterrupted)
    let report = try report(copy)
    // Unlike `rename`, `link` fails if the file has been created in the meantime.
    guard (replacing ? rename(copy.draft, file) : link(copy.draft, file)) == 0 else {
      throw errno == EEXIST ? .exists(path: file) : .failed(path: file, reason: Disk.reason)
    }
    Disk.syncDirectory(of: file)
    return report
  }

  /// Restores a backup as a database that no process has open. With `replacing`, an existing database is moved aside together with its
  /// write-ahead log. `keys` are the existing secret keys (`KeyFile.known`). A backup that none of them decrypts is refused; if `keys` is
  /// `nil`, this is not checked. A backup in which `check` finds faults is also refused, unless `acceptsFindings` is set.
  package static func restore(
    _ file: String, to database: String, replacing: Bool, keys: [[UInt8]]?, check: ContentCheck, acceptsFindings: Bool = false,
    isInterrupted: @escaping () -> Bool
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
    if let keys { try requireKey(keys, copy, file) }
    (report.erased, report.forgotten) = try ErasureReplay.run(on: copy.draft, of: database)
    report.sessions -= report.erased
    report.findings = try findings(in: copy, keys, check, isInterrupted)
    guard acceptsFindings || report.findings.isEmpty else { throw .findings(path: file, report.findings) }
    copy.adoptOwner()
    let aside = database + ".replaced"
    if isThere {
      guard rename(database, aside) == 0 else { throw .failed(path: aside, reason: Disk.reason) }
      report.replaced = aside
    }
    // The write-ahead log of the old database must be gone before the new database is in place.
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

  /// Checks the contents of the copy that is about to become the database. Returns one line per fault.
  private static func findings(
    in copy: borrowing DatabaseCopy, _ keys: [[UInt8]]?, _ check: ContentCheck, _ isInterrupted: @escaping () -> Bool
  ) throws(BackupFault) -> [String] {
    do {
      let journal = try SQLiteJournal(inspecting: copy.draft, keys: keys)
      defer { journal.close() }
      return try check(journal) { !isInterrupted() }
    } catch let error as SQLiteJournalError {
      throw .journal(error)
    } catch JournalError.closed {
      throw .interrupted
    } catch {
      throw .damaged(path: copy.draft, reason: "\(error)")
    }
  }

  private static func requireKey(_ keys: [[UInt8]], _ copy: borrowing DatabaseCopy, _ file: String) throws(BackupFault) {
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
