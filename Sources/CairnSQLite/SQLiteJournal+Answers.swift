import CairnRuntime
package import CairnStore
import Crypto
import GRDB
import GRDBSQLite

// Responses under keys: a row each, and one index by session and key. A session's commit without a key has no further cost.
extension SQLiteJournal {
  package func answer(_ key: AnswerKey, of session: String, toWrite: Bool) throws(JournalError) -> KeptAnswer? {
    try guarded {
      // The connection that writes keeps its pages from commit to commit.
      try toWrite
        ? pool.writeWithoutTransaction { db in try self.answer(key, of: session, db) }
        : read { db in try self.answer(key, of: session, db) }
    }
  }

  private func answer(_ key: AnswerKey, of session: String, _ db: Database) throws -> KeptAnswer? {
    guard let number = try key == .creation ? 0 : head(of: session, db)?.number else { return nil }
    let find = try Prepared(
      db, "SELECT \(ResponseRow.columns) FROM responses WHERE session = ? AND key = ?"
    ).bound(number)
    find.bind(2, blob: key.column(of: session))
    guard let (row, value) = try find.row({ (ResponseRow($0), $0.integer(9)) }) else { return nil }
    guard row.value(check) == value else { throw JournalError.unreadable("a response of session \(session) is not what was kept") }
    return try number > 0 && Self.isForgotten(row.number, of: number, db) ? nil : row.answer
  }

  package func keys(of session: String) throws(JournalError) -> [Fingerprint] {
    try guarded {
      try pool.writeWithoutTransaction { db in
        guard let number = try self.head(of: session, db)?.number else { return [] }
        var keys: [Fingerprint] = []
        try Prepared(db, "SELECT key FROM responses WHERE session = ?").bound(number).rows { keys.append(Fingerprint($0.bytes(0))) }
        return keys
      }
    }
  }

  package func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int? {
    try guarded {
      let oldest = "SELECT until FROM responses ORDER BY number LIMIT 1"
      guard let first = try pool.read({ db in try Prepared(db, oldest).row { $0.integer(0) } }) else { return nil }
      guard first <= time else { return first }
      return try pool.write { db in
        // In the order in which they came; one that was kept for a shorter time goes with those before it.
        let delete = try Prepared(
          db,
          """
          DELETE FROM responses WHERE number IN (SELECT number FROM responses ORDER BY number LIMIT \(Self.stride / 2)) AND until <= ?
          """)
        try delete.bound(time).run()
        return try Prepared(db, oldest).row { $0.integer(0) }
      }
    }
  }

  /// The statement for `put`; `nil` if no session has answers to keep.
  static func answerInsertion(for writes: [SealedWrite], _ db: Database) throws -> Prepared? {
    try writes.contains { !$0.write.answers.isEmpty } ? Prepared(db, insertAnswer) : nil
  }

  /// Keeps answers of a session. In the transaction of a commit.
  func put(_ answers: [KeyedAnswer], of id: String, _ session: Int, _ insert: Prepared, _ db: Database) throws {
    for keyed in answers {
      let column = keyed.key.column(of: id)
      let row = ResponseRow(
        number: heads.withLock { $0.newResponse() }, session: keyed.key == .creation ? 0 : session, key: column, answer: keyed.answer)
      do {
        try row.put(insert, check)
      } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
        // An expired one under the same key. It is seldom there, and a statement that may replace a row costs more.
        try row.put(try Prepared(db, Self.replaceAnswer), check)
      }
      // One key in 64 causes a search for too many; the keys are hashes, so a client cannot choose which.
      if keyed.key != .creation, column[0] & 63 == 0 { try forgetOldest(of: session, db) }
    }
  }

  /// Takes the answers of a session away, some at a time; of its creation stays that there was one. In a transaction. True: none is left.
  static func eraseAnswers(of session: Int, _ db: Database) throws -> Bool {
    try Prepared(db, "DELETE FROM responses WHERE number IN (SELECT number FROM responses WHERE session = ? LIMIT \(stride / 8))")
      .bound(session).run()
    return sqlite3_changes(db.sqliteConnection) < stride / 8
  }

  /// Blanks the creation of a deleted session: afterwards only the fact remains that it was started under a key.
  static func blankCreation(of id: String, _ check: RowCheck, _ db: Database) throws {
    let find = try Prepared(db, "SELECT \(ResponseRow.columns) FROM responses WHERE session = 0 AND key = ?")
    find.bind(1, blob: AnswerKey.creation.column(of: id))
    guard var row = try find.row({ ResponseRow($0) }) else { return }
    row.answer.content = .none
    try row.put(try Prepared(db, replaceAnswer), check)
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

  /// Whether so many came after a row that it does not count any more, although it is still there.
  private static func isForgotten(_ row: Int, of session: Int, _ db: Database) throws -> Bool {
    let newer = try Prepared(db, "SELECT count(*) FROM responses WHERE session = ? AND number > ?")
    newer.bind(1, session)
    newer.bind(2, row)
    return try newer.row { $0.integer(0) } ?? 0 >= KeptAnswer.limit
  }

  private static let insertAnswer = "INSERT \(answerValues)"
  private static let replaceAnswer = "INSERT OR REPLACE \(answerValues)"
  private static let answerValues = "INTO responses (\(ResponseRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
}

extension AnswerKey {
  /// The value of the column. For a creation a hash of the session's id, so that the id itself disappears with the session.
  fileprivate func column(of session: String) -> [UInt8] {
    switch self {
    case .creation: Array(SHA256.hash(data: Array(session.utf8)).prefix(16))
    case .request(let key): key.bytes
    }
  }
}
