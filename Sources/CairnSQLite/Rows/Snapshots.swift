import CairnCore
import CairnJournal
import GRDB
import GRDBSQLite

/// The table of snapshots, to which states are added.
struct Snapshots {
  let database: SQLiteDatabase

  /// Stores a state, and returns its size in bytes. `total` is the size of the journal before this snapshot.
  func keep(_ state: State, of session: Int, _ definition: String, entry: Int, after total: Int, _ db: Database) throws -> Int {
    let bytes = StateFormat.snapshot(state)
    guard bytes.count < Self.longest(db) else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
    let insert = try Prepared(db, Self.insertSnapshot)
    insert.bind(1, entry)
    insert.bind(2, session)
    insert.bind(3, state.revision)
    insert.bind(4, definition)
    insert.bind(5, total + bytes.count)
    insert.bind(6, blob: bytes)
    insert.bind(
      7,
      Snapshot(
        entry: entry, session: session, revision: state.revision, format: StateFormat.version, definition: definition,
        journal: total + bytes.count, state: bytes
      ).value(database.check))
    try insert.run()
    return bytes.count
  }

  /// Stores the state of a session at a head. Returns the new counts of the head. `total` is the size of the journal before this snapshot.
  func keep(_ record: SessionRecord, at head: Head, after total: Int, _ db: Database) throws -> Head.Since {
    let size = try keep(record.state, of: head.number, record.definition, entry: head.entry, after: total, db)
    return Head.Since(entries: 0, bytes: 0, snapshot: size, total: total + size, forgotten: head.since?.forgotten ?? 0)
  }

  /// The assumed size in bytes of an entry whose size is unknown.
  static let estimate = 150

  /// The entries since the last snapshot, for a head that was read from disk. The number of bytes is an estimate.
  func since(_ head: Head, _ db: Database) throws -> Head.Since {
    let newest = try Prepared(
      db, "SELECT revision, length(state), journal FROM snapshots WHERE session = ? ORDER BY revision DESC LIMIT 1"
    ).bound(head.number).row { ($0.count(0), $0.integer(1), $0.count(2)) }
    let entries = max(0, min(head.revision, State.highestCount) - (newest?.0 ?? 0))
    let bytes = entries * Self.estimate
    return Head.Since(
      entries: entries, bytes: bytes, snapshot: newest?.1 ?? 1_000, total: (newest?.2 ?? 0) + bytes,
      forgotten: head.beginning?.journal ?? 0)
  }

  /// The maximum length of a value. SQLite silently does not bind a longer value.
  static func longest(_ db: Database) -> Int { Int(sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, -1)) }

  private static let insertSnapshot = """
    INSERT OR REPLACE INTO snapshots (entry, session, revision, format, definition, journal, state, "check")
    VALUES (?, ?, ?, \(StateFormat.version), ?, ?, ?, ?)
    """
}
