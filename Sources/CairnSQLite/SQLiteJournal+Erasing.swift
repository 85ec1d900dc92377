import CairnStore
import GRDB
import GRDBSQLite

// What is deleted is gone for everybody with its commit; its rows follow a few at a time.
extension SQLiteJournal {
  /// Rows that are erased in one commit.
  static let stride = 500

  /// Takes a session away, its secrets included, and marks where its entries begin. In the transaction of a commit.
  func bury(_ session: String, _ db: Database) throws {
    guard let head = try head(of: session, db) else { return }
    let grave = try Prepared(db, "INSERT INTO graves (session, entry) VALUES (?, ?)")
    grave.bind(1, head.number)
    grave.bind(2, head.entry)
    try grave.run()
    try Prepared(db, "DELETE FROM heads WHERE session = ?").bound(head.number).run()
    try Prepared(db, "DELETE FROM secrets WHERE session = ?").bound(session).run()
    try blankCreation(of: session, db)
    try Prepared(db, "DELETE FROM sessions WHERE number = ?").bound(head.number).run()
  }

  /// What the sweeper works with.
  static func work(_ pool: DatabasePool, _ mover: DatabaseQueue) -> Sweeper.Work {
    // On a failure (a disk that is full, a journal that was closed) it stays as it is; the next deletion or start goes on with it.
    Sweeper.Work(
      erase: { (try? pool.write { db in try erase(db) }) ?? false },
      move: {
        try? mover.writeWithoutTransaction { db in
          let found = try db.checkpoint(.passive)
          return found.walFrameCount - found.checkpointedFrameCount
        }
      },
      empty: { pool.writeWithoutTransaction { db in WriteLog.empty(db) } })
  }

  /// Erases the next rows of a grave; false: there are no graves.
  static func erase(_ db: Database) throws -> Bool {
    let found = try Prepared(db, "SELECT session, entry FROM graves LIMIT 1").row { ($0.integer(0), $0.optionalInteger(1)) }
    guard let (session, first) = found else { return false }
    var entry = first
    let previous = try Prepared(db, "SELECT previous FROM entries WHERE number = ?")
    let delete = try Prepared(db, "DELETE FROM entries WHERE number = ?")
    var erased = 0
    while let number = entry, erased < stride {
      entry = try previous.bound(number).row { $0.optionalInteger(0) } ?? nil
      try delete.bound(number).run()
      erased += 1
    }
    if entry == nil, erased < stride {
      let snapshots = try Prepared(
        db, "DELETE FROM snapshots WHERE entry IN (SELECT entry FROM snapshots WHERE session = ? LIMIT \(stride / 8))")
      try snapshots.bound(session).run()
      let hasSnapshots = sqlite3_changes(db.sqliteConnection) == stride / 8
      let hasAnswers = try !eraseAnswers(of: session, db)
      if !hasSnapshots, !hasAnswers {
        try Prepared(db, "DELETE FROM graves WHERE session = ?").bound(session).run()
        return try Prepared(db, "SELECT 1 FROM graves LIMIT 1").row { _ in true } ?? false
      }
    }
    let grave = try Prepared(db, "UPDATE graves SET entry = ?2 WHERE session = ?1")
    grave.bind(1, session)
    grave.bind(2, entry)
    try grave.run()
    return true
  }
}
