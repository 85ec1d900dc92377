import CairnRuntime
import GRDB

/// Runs work on a database that no service has open, while it holds the database's lock. Checks the mark before the work, and updates the
/// mark afterwards.
enum Maintenance {
  /// Runs `work` on a single connection and then empties the write-ahead log. Throws before `work` if a service has the database open, or if data was
  /// lost. `afterwards` runs after the connection is closed, while the lock is still held.
  static func run<Result>(
    _ database: String, _ work: (Database) throws -> Result, afterwards: () throws -> Void = {}
  ) throws(BackupFault) -> Result {
    guard Disk.size(of: database) ?? 0 > 0 else { throw .missing(path: database) }
    do {
      let lock = try DatabaseLock(database: database)
      defer { lock.release() }
      try OpeningCheck(database).check(SQLiteJournal.migrations)
      let result = try change(database, work)
      try afterwards()
      return result
    } catch let fault as BackupFault {
      throw fault
    } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL || error.resultCode == .SQLITE_IOERR {
      throw .failed(path: database, reason: error.reason)
    } catch {
      throw .journal(SQLiteJournal.fault(error, path: database))
    }
  }

  private static func change<Result>(_ database: String, _ work: (Database) throws -> Result) throws -> Result {
    let queue = try DatabaseQueue(path: database, configuration: SQLiteJournal.configuration(readers: 1))
    defer { try? queue.close() }
    let result = try queue.writeWithoutTransaction { db in
      try MigrationRunner(path: database, migrations: SQLiteJournal.migrations).check(db)
      let result = try work(db)
      try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return result
    }
    try setMark(of: database, queue)
    return result
  }

  /// Records in the mark that the log has been moved into the database, so that its absence is not reported as a loss.
  private static func setMark(of database: String, _ queue: DatabaseQueue) throws {
    let (id, newest) = try queue.read { db in (try OpeningCheck.id(db), try OpeningCheck.newest(db)) }
    guard let id, Disk.size(of: database + "-wal") ?? 0 == 0 else { return }
    _ = try MarkFile(database, DatabaseMark(id: id, newest: newest, isOpen: false))
  }
}

extension DatabaseError {
  /// SQLite's description of the error. If another connection detected the fault, SQLite's message is "not an error"; in this case, the
  /// result is the error's code.
  var reason: String {
    switch resultCode {
    case .SQLITE_FULL: return "the disk is full"
    default: break
    }
    guard let message, message != "not an error" else { return "\(resultCode) (SQLite \(extendedResultCode.rawValue))" }
    return "\(message) (SQLite \(extendedResultCode.rawValue))"
  }
}
