import CairnCore
import CairnRuntime
import CairnCrypto
import CairnJournal
import Foundation
import GRDB

/// The sessions of a journal on SQLite.
struct SQLiteSessions: SessionJournal {
  let database: SQLiteDatabase
  let history: SQLiteHistory

  func session(_ id: String) throws(JournalError) -> SessionRecord? {
    try database.guarded {
      let head = database.heads.withLock { $0[id] }
      return try database.read { db in try self.record(id, head, db) }
    }
  }

  /// The newest committed state of a session, read on the connection of the commits, which keeps its page cache from one commit to the next. A reading
  /// connection discards its cache after each commit.
  func sessionToWrite(_ id: String) throws(JournalError) -> SessionRecord? {
    try database.guarded {
      let head = database.heads.withLock { $0[id] }
      // Outside a transaction, each statement would take and release a file lock.
      return try database.pool.writeWithoutTransaction { db in try db.reading { try self.record(id, head, $0) } }
    }
  }

  func bytes(of session: String) -> Int? { database.heads.withLock { $0[session]?.since?.size } }

  func version(of id: String) throws(JournalError) -> SessionVersion? {
    if let head = database.heads.withLock({ $0[id] }) { return head.version }
    return try database.guarded { try database.pool.read { db in try database.head(of: id, db)?.version } }
  }

  func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] {
    try database.guarded {
      try database.read { db in
        var found: [(place: Int, id: String)] = []
        let next = try Prepared(db, "SELECT number, id FROM sessions WHERE number > ? ORDER BY number LIMIT ?")
        next.bind(1, place)
        next.bind(2, limit)
        try next.rows { found.append(($0.integer(0), $0.text(1))) }
        return found
      }
    }
  }

  func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String? {
    let box = try database.guarded {
      try database.pool.read { db in
        try Data.fetchOne(
          db.cachedStatement(sql: "SELECT box FROM secrets WHERE session = ? AND slot = ?"), arguments: [session, slot.number])
      }
    }
    guard let box else { return nil }
    guard let text = database.secrets.open(box, for: slot.purpose(of: session)) else {
      throw .unreadable("a secret of session \(session) cannot be decrypted")
    }
    return text
  }

  func uses(of app: String) throws(JournalError) -> [DefinitionUse] {
    try database.guarded {
      try database.read { db in
        var found: [DefinitionUse] = []
        // A definition belongs to one app, which is the app of its oldest session.
        let oldest = try Prepared(
          db,
          """
          SELECT s.app, h.created_at FROM heads h INDEXED BY heads_by_definition JOIN sessions s ON s.number = h.session
          WHERE h.definition = ? ORDER BY h.created_at LIMIT 1
          """)
        let count = try Prepared(db, "SELECT count(*) FROM heads INDEXED BY heads_by_definition WHERE definition = ?")
        try Prepared(db, "SELECT hash FROM definitions ORDER BY hash").rows { row in
          let hash = row.text(0)
          guard let first = try oldest.bound(hash).row({ (app: $0.text(0), at: $0.integer(1)) }), first.app == app else { return }
          let sessions = try count.bound(hash).row { $0.integer(0) } ?? 0
          found.append(DefinitionUse(definition: hash, sessions: sessions, oldest: first.at))
        }
        return found
      }
    }
  }

  func count() throws(JournalError) -> Int {
    try database.guarded { try database.pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sessions") ?? 0 } }
  }

  /// Reads the record of a session. `head` must have been read from `heads` before the transaction began: a newer head could refer to
  /// entries that the transaction does not see. Returns `nil` if the session does not exist.
  func record(_ id: String, _ head: Head?, _ db: Database) throws -> SessionRecord? {
    let find = try head.map { try Prepared(db, Self.sessionByNumber).bound($0.number) } ?? Prepared(db, Self.sessionByID).bound(id)
    return try find.row { try self.found(id, $0, head) }.map { try newest($0, $1, db) }
  }

  /// The session in a row of `sessionColumns`, without its state, and its head. If `known` is not `nil`, it is used instead of the row's
  /// head.
  func found(_ id: String, _ row: Prepared, _ known: Head?) throws -> (SessionRecord, Head) {
    guard !row.isNull(1) else { throw JournalError.unreadable("session \(id) has no head") }
    let head = try known ?? Head(row, from: 5).beginning(with: Beginning(row, from: 12, database.check), of: id)
    let record = SessionRecord(
      id: id, app: row.text(0), definition: row.text(1), label: row.isNull(2) ? nil : row.text(2), createdAt: row.integer(3),
      updatedAt: head.updatedAt, secretHash: row.bytes(4), state: StateFormat.empty, hash: head.hash,
      beginning: head.beginning?.revision ?? 0)
    return (record, head)
  }

  /// The session with its newest state.
  func newest(_ record: SessionRecord, _ head: Head, _ db: Database) throws -> SessionRecord {
    var empty = StateFormat.empty
    if let table = database.tables.withLock({ $0[record.definition] }) { empty.nodes = table }
    let newest = try history.state(of: record.id, head, at: head.revision, newest: record.definition, over: empty, db)
    guard newest.hash == head.hash else { throw JournalError.unreadable("session \(record.id): its head does not match its newest entry") }
    return record.with(state: newest.state)
  }

  static let sessionColumns = """
    s.app, h.definition, h.label, s.created_at, s.secret_hash, s.number, h.revision, h.entry, h.hash, h.updated_at, h.due, s.id,
    \(Beginning.columns) FROM sessions s LEFT JOIN heads h ON h.session = s.number LEFT JOIN beginnings b ON b.session = s.number
    """
  private static let sessionByNumber = "SELECT \(sessionColumns) WHERE s.number = ?"
  private static let sessionByID = "SELECT \(sessionColumns) WHERE s.id = ?"
}
