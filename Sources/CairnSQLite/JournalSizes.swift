import CairnRuntime
import CairnStore
import GRDB

/// How many bytes the journal of each session has: a row for each session with a snapshot, written with every snapshot. What came after it
/// is estimated where it was not counted.
enum JournalSizes {
  /// Bytes of an entry that was not counted.
  static let estimate = 150

  /// The table, for a database that was made without it.
  static func prepare(_ db: Database) throws {
    try db.execute(
      sql:
        "CREATE TABLE IF NOT EXISTS journal_sizes (session INTEGER PRIMARY KEY, revision INTEGER NOT NULL, bytes INTEGER NOT NULL) STRICT")
  }

  /// Bytes of a session's journal, of a head that was read from the disk.
  static func total(_ head: Head, _ db: Database) throws -> Int {
    let row = try Prepared(db, "SELECT revision, bytes FROM journal_sizes WHERE session = ?").bound(head.number)
      .row { ($0.integer(0), $0.integer(1)) }
    return (row?.1 ?? 0) + (head.revision - (row?.0 ?? 0)) * estimate
  }

  /// Keeps what a session's journal has come to. In the transaction of a commit.
  static func put(_ head: Head, _ total: Int, _ db: Database) throws {
    let put = try Prepared(db, "INSERT OR REPLACE INTO journal_sizes (session, revision, bytes) VALUES (?, ?, ?)")
    put.bind(1, head.number)
    put.bind(2, head.revision)
    put.bind(3, total)
    try put.run()
  }

  /// Forgets a session that is deleted. In the transaction of a commit.
  static func forget(_ session: Int, _ db: Database) throws {
    try Prepared(db, "DELETE FROM journal_sizes WHERE session = ?").bound(session).run()
  }
}

extension SQLiteJournal {
  package func bytes(of session: String) -> Int? { heads.withLock { $0[session]?.since?.total } }
}
