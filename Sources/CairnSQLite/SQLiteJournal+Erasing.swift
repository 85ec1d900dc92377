import CairnRuntime
package import CairnStore
import GRDB
import GRDBSQLite

// After its commit, a deleted session can no longer be read. Its rows are erased later, in small batches.
extension SQLiteJournal {
  /// The number of rows that are erased per commit.
  static let stride = 500

  /// Deletes a session and its secrets, and leaves a tombstone with its newest entry. Called in the transaction of a commit.
  func bury(_ session: String, _ db: Database) throws {
    guard let head = try head(of: session, db) else { return }
    let tombstone = try Prepared(db, "INSERT INTO tombstones (session, entry) VALUES (?, ?)")
    tombstone.bind(1, head.number)
    tombstone.bind(2, head.entry)
    try tombstone.run()
    try Prepared(db, "DELETE FROM heads WHERE session = ?").bound(head.number).run()
    try Prepared(db, "DELETE FROM secrets WHERE session = ?").bound(session).run()
    try Self.blankCreation(of: session, check, db)
    try Prepared(db, "DELETE FROM sessions WHERE number = ?").bound(head.number).run()
  }

  /// The sweeper's operations.
  static func work(_ pool: DatabasePool, _ mover: DatabaseQueue, _ gate: ReadGate, _ times: Lock<Durations>) -> Sweeper.Work {
    Sweeper.Work(
      erase: { try pool.write { db in try erase(db) } },
      move: {
        try? mover.writeWithoutTransaction { db in
          let found = try db.checkpoint(.passive)
          return found.walFrameCount - found.checkpointedFrameCount
        }
      },
      empty: {
        // Readers of this process are kept out for a moment. Readers of other processes are not waited for.
        gate.withoutReaders(until: Monotonic.deadline(after: .milliseconds(50))) {
          pool.writeWithoutTransaction { db in WriteLog.empty(db, measuredBy: times) }
        } ?? false
      },
      giveBack: { try pool.write { db in try Slack.giveBack(db) } })
  }

  /// Erases the next rows of deleted sessions. Returns `false` if there are no tombstones.
  static func erase(_ db: Database) throws -> Bool {
    var left = stride
    while left > 0 {
      let found = try Prepared(db, "SELECT session, entry FROM tombstones LIMIT 1").row { ($0.integer(0), $0.optionalInteger(1)) }
      guard let (session, entry) = found else { return false }
      left -= try erase(session, from: entry, atMost: left, db)
    }
    return true
  }

  /// Erases rows of a deleted session, and finally its tombstone. Returns the number of erased rows, in which each snapshot counts as several.
  private static func erase(_ session: Int, from first: Int?, atMost limit: Int, _ db: Database) throws -> Int {
    var entry = first
    let chained = try Prepared(db, "SELECT session, previous FROM entries WHERE number = ?")
    let delete = try Prepared(db, "DELETE FROM entries WHERE number = ?")
    var erased = 0
    while let number = entry, erased < limit {
      let found = try chained.bound(number).row { ($0.integer(0), $0.optionalInteger(1)) }
      guard let (owner, previous) = found, owner == session, previous ?? 0 < number else {
        // In a damaged chain, the session's remaining entries are found by searching the whole table.
        try Prepared(db, "DELETE FROM entries WHERE session = ?").bound(session).run()
        entry = nil
        break
      }
      try delete.bound(number).run()
      entry = previous
      erased += 1
    }
    if entry == nil {
      // A round without rows counts as one, so that the loop in `erase` ends.
      let most = max(1, (limit - erased) / weightOfSnapshot)
      let snapshots = try Prepared(
        db, "DELETE FROM snapshots WHERE entry IN (SELECT entry FROM snapshots WHERE session = ?1 LIMIT ?2)")
      snapshots.bind(1, session)
      snapshots.bind(2, most)
      try snapshots.run()
      let gone = Int(sqlite3_changes(db.sqliteConnection))
      erased += max(1, gone * weightOfSnapshot)
      if gone < most, try eraseAnswers(of: session, db) {
        try Prepared(db, "DELETE FROM tombstones WHERE session = ?").bound(session).run()
        return erased
      }
    }
    let tombstone = try Prepared(db, "UPDATE tombstones SET entry = ?2 WHERE session = ?1")
    tombstone.bind(1, session)
    tombstone.bind(2, entry)
    try tombstone.run()
    return erased
  }

  /// The number of rows that a snapshot counts as.
  private static let weightOfSnapshot = 8
}

extension SQLiteJournal {
  /// Statistics of the journal. Any thread.
  package var figures: JournalFigures {
    var figures = JournalFigures()
    (figures.isErasing, figures.erasureAge, figures.erasureFaults) = sweeper.figures
    figures.checkpoints = times.withLock { $0 }
    figures.databaseBytes = Disk.size(of: path) ?? 0
    figures.logBytes = Disk.size(of: path + "-wal") ?? 0
    return figures
  }
}
