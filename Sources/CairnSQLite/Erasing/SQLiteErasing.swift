import CairnRuntime
import CairnJournal
import GRDB
import GRDBSQLite

/// Deletes sessions and forgets history. After the commit of its deletion, a session can no longer be read. Its rows are erased later, in small batches.
struct SQLiteErasing {
  let database: SQLiteDatabase
  let history: SQLiteHistory
  let snapshots: Snapshots

  /// The number of rows that are erased per commit.
  static let stride = 500

  /// Deletes a session and its secrets, and leaves a tombstone with its newest entry. Called in the transaction of a commit.
  func addTombstone(_ session: String, _ db: Database) throws {
    guard let head = try database.head(of: session, db) else { return }
    let tombstone = try Prepared(db, "INSERT INTO tombstones (session, entry) VALUES (?, ?)")
    tombstone.bind(1, head.number)
    tombstone.bind(2, head.entry == 0 ? nil : head.entry)
    try tombstone.run()
    try Prepared(db, "DELETE FROM beginnings WHERE session = ?").bound(head.number).run()
    try Prepared(db, "DELETE FROM heads WHERE session = ?").bound(head.number).run()
    try Prepared(db, "DELETE FROM secrets WHERE session = ?").bound(session).run()
    try SQLiteAnswers.blankCreation(of: session, database.check, db)
    try Prepared(db, "DELETE FROM sessions WHERE number = ?").bound(head.number).run()
  }

  /// Returns the sweeper's operations on a database.
  static func work(
    _ pool: DatabasePool, _ mover: DatabaseQueue, _ gate: ReadGate, _ times: Lock<Durations>, _ staged: Lock<[Int: EntryChain]>
  ) -> Sweeper.Work {
    Sweeper.Work(
      erase: { try pool.write { db in try erase(db, sparing: staged.withLock { Array($0.keys) }) } },
      move: {
        try? mover.writeWithoutTransaction { db in
          let found = try db.checkpoint(.passive)
          return found.walFrameCount - found.checkpointedFrameCount
        }
      },
      empty: {
        // Blocks new reads at the gate, and waits up to 50 ms until the running ones end. Does not wait for readers of other processes.
        gate.withoutReaders(until: Monotonic.deadline(after: .milliseconds(50))) {
          pool.writeWithoutTransaction { db in WriteLog.empty(db, measuredBy: times) }
        } ?? false
      },
      giveBack: { try pool.write { db in try FreePages.giveBack(db) } })
  }

  /// Erases the next rows of deleted sessions and of forgotten history. Returns `false` if no such rows are left. The rows of the sessions
  /// with the numbers `staged` are not erased, because these sessions may still be created.
  static func erase(_ db: Database, sparing staged: [Int] = []) throws -> Bool {
    var left = stride
    let numbers = staged.map(String.init).joined(separator: ", ")
    while left > 0 {
      let found = try Prepared(db, "SELECT session, entry FROM tombstones WHERE session NOT IN (\(numbers)) LIMIT 1").row {
        ($0.integer(0), $0.optionalInteger(1))
      }
      guard let (session, entry) = found else { return try eraseForgotten(&left, db) }
      try erase(session, from: entry, &left, db)
    }
    return true
  }

  /// Erases rows of a deleted session, and finally its tombstone. Erases at most `left` rows, and subtracts their number from `left`.
  private static func erase(_ session: Int, from first: Int?, _ left: inout Int, _ db: Database) throws {
    var entry = first
    left -= try eraseChain(&entry, of: session, atMost: left, "", db)
    if entry == nil, try eraseSnapshots(of: session, &left, "", db), try SQLiteAnswers.eraseAnswers(of: session, db) {
      return try Prepared(db, "DELETE FROM tombstones WHERE session = ?").bound(session).run()
    }
    let tombstone = try Prepared(db, "UPDATE tombstones SET entry = ?2 WHERE session = ?1")
    tombstone.bind(1, session)
    tombstone.bind(2, entry)
    try tombstone.run()
  }

  /// Erases entries of a session along their chain. `entry` is the next entry to erase; afterwards it is the entry after the last erased
  /// entry, or `nil` if no entry is left. `condition` is used if the chain is damaged: it is SQL that is added to a deletion by session,
  /// and is true for all entries to erase. Its parameter 1 is the session's number. Returns the number of erased entries.
  static func eraseChain(_ entry: inout Int?, of session: Int, atMost limit: Int, _ condition: String, _ db: Database) throws -> Int {
    let chained = try Prepared(db, "SELECT session, previous FROM entries WHERE number = ?")
    let delete = try Prepared(db, "DELETE FROM entries WHERE number = ?")
    var erased = 0
    while let number = entry, erased < limit {
      let found = try chained.bound(number).row { ($0.integer(0), $0.optionalInteger(1)) }
      guard let (owner, previous) = found, owner == session, previous ?? 0 < number else {
        // In a damaged chain, the remaining entries are found by searching the whole table.
        try Prepared(db, "DELETE FROM entries WHERE session = ?1 \(condition)").bound(session).run()
        entry = nil
        break
      }
      try delete.bound(number).run()
      entry = previous
      erased += 1
    }
    return erased
  }

  /// Erases some snapshots of a session, and reduces `left` by their weight. Returns whether all snapshots that match `condition` have been erased.
  static func eraseSnapshots(of session: Int, _ left: inout Int, _ condition: String, _ db: Database) throws -> Bool {
    // Reduces `left` by at least 1, even if there is no snapshot, so that the loop of the caller ends.
    let most = max(1, left / weightOfSnapshot)
    let snapshots = try Prepared(
      db, "DELETE FROM snapshots WHERE entry IN (SELECT entry FROM snapshots WHERE session = ?1 \(condition) LIMIT ?2)")
    snapshots.bind(1, session)
    snapshots.bind(2, most)
    try snapshots.run()
    let gone = Int(sqlite3_changes(db.sqliteConnection))
    left -= max(1, gone * weightOfSnapshot)
    return gone < most
  }

  /// One snapshot counts as this many rows of `stride`, because a snapshot is larger than an entry.
  private static let weightOfSnapshot = 8
}
