import CairnRuntime
import CairnStore
import GRDB
import GRDBSQLite
import Synchronization

/// The log of writes (WAL) of the connection that writes. Its functions are for that connection's queue.
final class WriteLog: Sendable {
  private let count = Atomic(0)

  /// Pages in it after the last commit, the sweeper's too. Any thread.
  var pages: Int { count.load(ordering: .relaxed) }

  /// Has SQLite tell after each commit of a connection how long the log is. The connection must not outlive this.
  func watch(_ db: Database) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, pages in
        // The context is the one passed below; it is never nil.
        if let context { Unmanaged<WriteLog>.fromOpaque(context).takeUnretainedValue().count.store(Int(pages), ordering: .relaxed) }
        return SQLITE_OK
      }, context)
  }

  /// Moves the few pages that are left and makes the next commit restart the log; does nothing while a reader uses it.
  func restart(_ db: Database, measuredBy times: Lock<Durations>) -> Bool {
    let start = Monotonic.now()
    defer { times.withLock { $0.add(Monotonic.now() - start) } }
    sqlite3_busy_timeout(db.sqliteConnection, 0)
    defer { sqlite3_busy_timeout(db.sqliteConnection, SQLiteJournal.busyTimeout) }
    guard sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_RESTART, nil, nil) == SQLITE_OK else { return false }
    count.store(0, ordering: .relaxed)
    return true
  }

  /// Empties the file; does nothing while a reader uses it.
  static func empty(_ db: Database, measuredBy times: Lock<Durations>) -> Bool {
    let start = Monotonic.now()
    defer { times.withLock { $0.add(Monotonic.now() - start) } }
    sqlite3_busy_timeout(db.sqliteConnection, 0)
    defer { sqlite3_busy_timeout(db.sqliteConnection, SQLiteJournal.busyTimeout) }
    return sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
  }
}
