import CairnRuntime
import CairnJournal
import GRDB
import GRDBSQLite
import Synchronization

/// The write-ahead log (WAL) of the writing connection. Its functions must run on that connection's queue.
final class WriteLog: Sendable {
  private let count = Atomic(0)

  /// The number of pages in the log after the last commit, including commits of the sweeper. Can be read on any thread.
  var pages: Int { count.load(ordering: .relaxed) }

  /// Registers a hook that records the length of the log after each commit. The connection must not outlive this object.
  func watch(_ db: Database) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      db.sqliteConnection,
      { context, _, _, pages in
        // The context is the pointer passed below, and never `nil`.
        if let context { Unmanaged<WriteLog>.fromOpaque(context).takeUnretainedValue().count.store(Int(pages), ordering: .relaxed) }
        return SQLITE_OK
      }, context)
  }

  /// Moves the remaining pages of the log to the database, so that the next commit writes from the start of the log file. Does not wait for readers. Returns
  /// `false` if the restart fails, usually because of a reader. Adds the duration to `times`.
  func restart(_ db: Database, measuredBy times: Lock<Durations>) -> Bool {
    let start = Monotonic.now()
    defer { times.withLock { $0.add(Monotonic.now() - start) } }
    sqlite3_busy_timeout(db.sqliteConnection, 0)
    defer { sqlite3_busy_timeout(db.sqliteConnection, SQLiteJournal.busyTimeout) }
    guard sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_RESTART, nil, nil) == SQLITE_OK else { return false }
    count.store(0, ordering: .relaxed)
    return true
  }

  /// Empties the log file. Does not wait for readers. Returns `false` if this fails, usually because of a reader. Adds the duration to `times`.
  static func empty(_ db: Database, measuredBy times: Lock<Durations>) -> Bool {
    let start = Monotonic.now()
    defer { times.withLock { $0.add(Monotonic.now() - start) } }
    sqlite3_busy_timeout(db.sqliteConnection, 0)
    defer { sqlite3_busy_timeout(db.sqliteConnection, SQLiteJournal.busyTimeout) }
    return sqlite3_wal_checkpoint_v2(db.sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
  }
}
