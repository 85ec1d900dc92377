import CairnRuntime
import Foundation
import GRDB
import Glibc

/// A copy of a database at one point in time. Other connections may write to the database while the copy is made. The copy is a draft
/// beside its target path, and only its owner may read it.
struct DatabaseCopy: ~Copyable {
  /// The path of the draft.
  let draft: String
  let id: String
  /// The newest entry in the copy.
  let newest: NewestEntry
  let sessions: Int
  let bytes: Int

  /// The number of pages per step. Other connections can write between two steps.
  private static let pages: CInt = 64
  /// The bounds in nanoseconds of the pause after each step. Within them, the pause lasts as long as the step took.
  private static let pause: ClosedRange<UInt64> = 300_000...20_000_000
  /// The number of steps after which the copy is synced to disk. Syncing a large file only once at the end would delay all other writes.
  private static let flush = 32

  /// Makes the copy and checks its integrity. `isInterrupted` is called between two steps; when it returns `true`, `.interrupted` is thrown.
  init(of database: String, besides target: String, isInterrupted: @escaping () -> Bool) throws(BackupFault) {
    guard Disk.size(of: database) ?? 0 > 0 else { throw .missing(path: database) }
    let draft = "\(target).draft.\(getpid())"
    let descriptor = open(draft, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(path: target, reason: Disk.reason) }
    defer { close(descriptor) }
    do throws(BackupFault) {
      try Self.copy(database, to: draft, isInterrupted) { fdatasync(descriptor) == 0 }
      guard fsync(descriptor) == 0 else { throw BackupFault.failed(path: target, reason: Disk.reason) }
      (id, newest, sessions) = try Self.check(draft, of: database)
    } catch {
      Self.remove(draft)
      throw error
    }
    self.draft = draft
    bytes = Disk.size(of: draft) ?? 0
  }

  deinit { Self.remove(draft) }

  /// If root created the draft, changes its owner to the owner of its folder.
  func adoptOwner() {
    let descriptor = open(draft, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    FileOwner.adopt(descriptor, in: Disk.directory(of: draft))
  }

  private static func remove(_ draft: String) { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) } }

  private static func copy(
    _ database: String, to draft: String, _ isInterrupted: @escaping () -> Bool, _ flush: @escaping () -> Bool
  ) throws(BackupFault) {
    do {
      var configuration = Configuration()
      // No rollback journal is necessary, because an unfinished draft is deleted.
      configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF") }
      let target = try DatabaseQueue(path: draft, configuration: configuration)
      let source = try DatabaseQueue(path: database, configuration: SQLiteJournal.reading)
      try target.writeWithoutTransaction { copy in
        try source.read { db in
          // Starts a read transaction, so that the copy shows one state of the source. Otherwise each commit to the source would restart the copy.
          _ = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
          var steps = 0
          var began = Monotonic.now()
          try db.backup(to: copy, pagesPerStep: pages) { progress in
            if isInterrupted() { throw BackupFault.interrupted }
            steps += 1
            if steps.isMultiple(of: Self.flush), !flush() { throw BackupFault.failed(path: draft, reason: Disk.reason) }
            if !progress.isCompleted { nap(Monotonic.now() - began) }
            began = Monotonic.now()
          }
        }
        // Converts the copy to a single file that needs no write-ahead log.
        try copy.execute(sql: "PRAGMA journal_mode = DELETE")
      }
      try source.close()
      try target.close()
    } catch let fault as BackupFault {
      throw fault
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR {
      throw .failed(path: draft, reason: error.reason)
    } catch {
      throw .journal(SQLiteJournal.fault(error, path: database))
    }
  }

  private static func nap(_ spent: UInt64) {
    let length = min(max(spent, pause.lowerBound), pause.upperBound)
    var time = timespec(tv_sec: 0, tv_nsec: Int(length))
    nanosleep(&time, nil)
  }

  private static func check(_ draft: String, of database: String) throws(BackupFault) -> (id: String, newest: NewestEntry, sessions: Int) {
    do {
      let queue = try DatabaseQueue(path: draft, configuration: SQLiteJournal.reading)
      defer { try? queue.close() }
      return try queue.read { db in
        try MigrationRunner(path: database, migrations: SQLiteJournal.migrations).check(db)
        if let fault = try Integrity.faults(db).first { throw BackupFault.damaged(path: database, reason: fault) }
        guard let id = try OpeningCheck.id(db) else {
          throw SQLiteJournalError.notOpened(
            path: database, reason: "this version has not opened the database yet; start the service on it once")
        }
        return (id, try OpeningCheck.newest(db), try Int.fetchOne(db, sql: "SELECT count(*) FROM sessions") ?? 0)
      }
    } catch let fault as BackupFault {
      throw fault
    } catch {
      throw .journal(SQLiteJournal.fault(error, path: database))
    }
  }
}
