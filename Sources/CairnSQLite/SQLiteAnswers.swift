import CairnRuntime
import CairnCrypto
import CairnJournal
import GRDB
import GRDBSQLite

/// Responses under idempotency keys. Each response is a row, with an index by session and key. Commits without responses have no additional
/// cost.
struct SQLiteAnswers: AnswerJournal {
  let database: SQLiteDatabase

  func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? {
    try database.guarded { try database.read { db in try self.answer(key, of: session, db) } }
  }

  /// Like `answer`, but on the connection of the commits. This connection keeps its page cache from one commit to the next.
  func answerToWrite(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? {
    try database.guarded { try database.pool.writeWithoutTransaction { db in try self.answer(key, of: session, db) } }
  }

  func answer(_ key: AnswerKey, of session: String, _ db: Database) throws -> KeptAnswer? {
    guard let number = try key == .creation ? 0 : database.head(of: session, db)?.number else { return nil }
    let find = try Prepared(
      db, "SELECT \(ResponseRow.columns) FROM responses WHERE session = ? AND key = ?"
    ).bound(number)
    find.bind(2, blob: key.column(of: session))
    guard let (row, value) = try find.row({ (ResponseRow($0), $0.integer(9)) }) else { return nil }
    guard row.value(database.check) == value else {
      throw JournalError.unreadable("a response of session \(session) does not match its stored hash")
    }
    return try number > 0 && Self.isForgotten(row.number, of: number, db) ? nil : row.answer
  }

  func keys(of session: String) throws(JournalError) -> [Fingerprint] {
    try database.guarded {
      try database.pool.writeWithoutTransaction { db in
        guard let number = try database.head(of: session, db)?.number else { return [] }
        var keys: [Fingerprint] = []
        try Prepared(db, "SELECT key FROM responses WHERE session = ?").bound(number).rows { keys.append(Fingerprint($0.bytes(0))) }
        return keys
      }
    }
  }

  func spentCreations() throws(JournalError) -> [SpentCreation] {
    try database.guarded {
      try database.pool.read { db in
        var found: [SpentCreation] = []
        try Prepared(db, "SELECT \(ResponseRow.columns) FROM responses WHERE session = 0 AND status = 0").rows { row in
          let row = ResponseRow(row)
          found.append(SpentCreation(key: row.key, print: row.answer.print, until: row.answer.until))
        }
        return found
      }
    }
  }

  func forget(expiredAt time: Int) throws(JournalError) -> Int? {
    try database.guarded {
      let oldest = "SELECT until FROM responses ORDER BY number LIMIT 1"
      guard let first = try database.pool.read({ db in try Prepared(db, oldest).row { $0.integer(0) } }) else { return nil }
      guard first <= time else { return first }
      return try database.pool.write { db in
        // Rows are deleted in the order of insertion. So an expired response may remain until the responses that were inserted before it
        // expire.
        let delete = try Prepared(
          db,
          """
          DELETE FROM responses WHERE number IN (SELECT number FROM responses ORDER BY number LIMIT \(SQLiteErasing.stride / 2)) AND until <= ?
          """)
        try delete.bound(time).run()
        return try Prepared(db, oldest).row { $0.integer(0) }
      }
    }
  }

  /// The statement for `put`; `nil` if no session has responses to store.
  static func insertion(for writes: [SealedWrite], _ db: Database) throws -> Prepared? {
    try writes.contains { !$0.write.answers.isEmpty } ? Prepared(db, insertAnswer) : nil
  }

  /// Stores responses of a session. Called in the transaction of a commit.
  func put(_ answers: [KeyedAnswer], of id: String, _ session: Int, _ insert: Prepared, _ db: Database) throws {
    for keyed in answers {
      let column = keyed.key.column(of: id)
      let row = ResponseRow(
        number: database.heads.withLock { $0.newResponse() }, session: keyed.key == .creation ? 0 : session, key: column,
        answer: keyed.answer)
      do {
        try row.put(insert, database.check)
      } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
        // An expired response with the same key exists. This is rare, so the faster statement, which replaces no rows, is tried first.
        try row.put(try Prepared(db, Self.replaceAnswer), database.check)
      }
      // On average, every 64th key triggers the deletion of excess responses. Keys are hashes, so clients cannot choose the keys that
      // trigger it.
      if keyed.key != .creation, column[0] & 63 == 0 { try forgetOldest(of: session, db) }
    }
  }

  /// Deletes some responses of a session, but not the response to its creation. Returns `true` if no other responses are left. Must be called in a
  /// transaction.
  static func eraseAnswers(of session: Int, _ db: Database) throws -> Bool {
    try Prepared(
      db, "DELETE FROM responses WHERE number IN (SELECT number FROM responses WHERE session = ? LIMIT \(SQLiteErasing.stride / 8))"
    )
    .bound(session).run()
    return sqlite3_changes(db.sqliteConnection) < SQLiteErasing.stride / 8
  }

  /// Removes the content of the response to a deleted session's creation. The row that records the use of the key is kept.
  static func blankCreation(of id: String, _ check: RowCheck, _ db: Database) throws {
    let find = try Prepared(db, "SELECT \(ResponseRow.columns) FROM responses WHERE session = 0 AND key = ?")
    find.bind(1, blob: AnswerKey.creation.column(of: id))
    guard var row = try find.row({ ResponseRow($0) }) else { return }
    row.answer.content = .none
    try row.put(try Prepared(db, replaceAnswer), check)
  }

  /// Removes the content of the response to a session's creation, and of the responses that were stored for the session up to a revision. Changes at most
  /// about `KeptAnswer.limit` rows. Must be called in a transaction.
  static func blankAnswers(of id: String, _ session: Int, through revision: Int, _ check: RowCheck, _ db: Database) throws {
    try blankCreation(of: id, check, db)
    let find = try Prepared(
      db, "SELECT \(ResponseRow.columns) FROM responses WHERE session = ? AND status <> 0 AND revision <= ?")
    find.bind(1, session)
    find.bind(2, revision)
    var rows: [ResponseRow] = []
    try find.rows { rows.append(ResponseRow($0)) }
    for var row in rows {
      row.answer.content = .none
      try row.put(try Prepared(db, replaceAnswer), check)
    }
  }

  private func forgetOldest(of session: Int, _ db: Database) throws {
    let delete = try Prepared(
      db,
      """
      DELETE FROM responses WHERE number IN (
        SELECT number FROM responses WHERE session = ? ORDER BY number DESC LIMIT -1 OFFSET \(KeptAnswer.limit))
      """)
    try delete.bound(session).run()
  }

  /// Whether so many newer responses exist that this one counts as deleted, although its row still exists.
  private static func isForgotten(_ row: Int, of session: Int, _ db: Database) throws -> Bool {
    let newer = try Prepared(db, "SELECT count(*) FROM responses WHERE session = ? AND number > ?")
    newer.bind(1, session)
    newer.bind(2, row)
    return try newer.row { $0.integer(0) } ?? 0 >= KeptAnswer.limit
  }

  private static let insertAnswer = "INSERT \(answerValues)"
  private static let replaceAnswer = "INSERT OR REPLACE \(answerValues)"
  private static let answerValues = "INTO responses (\(ResponseRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
}

extension AnswerKey {
  /// The value of the column `key`. For a creation it is a hash of the session's id, so that the id itself disappears with the session.
  fileprivate func column(of session: String) -> [UInt8] {
    switch self {
    case .creation: TextDigest.bytes(of: session)
    case .request(let key): key.bytes
    }
  }
}
