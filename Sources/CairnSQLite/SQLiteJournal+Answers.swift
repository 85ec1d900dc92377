package import CairnStore
import Crypto
import GRDB
import GRDBSQLite

// What was answered under keys: a row each, and one index by session and key. The others of a session's commit cost what they did.
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
      db, "SELECT number, print, until, status, head, body, hole FROM answers WHERE session = ? AND key = ?"
    ).bound(number)
    find.bind(2, blob: key.column(of: session))
    guard let (row, kept) = try find.row({ ($0.integer(0), KeptAnswer($0, from: 1)) }) else { return nil }
    return try number > 0 && Self.isForgotten(row, of: number, db) ? nil : kept
  }

  package func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int? {
    try guarded {
      let oldest = "SELECT until FROM answers ORDER BY number LIMIT 1"
      guard let first = try pool.read({ db in try Prepared(db, oldest).row { $0.integer(0) } }) else { return nil }
      guard first <= time else { return first }
      return try pool.write { db in
        // In the order in which they came; one that was kept for a shorter time goes with those before it.
        let delete = try Prepared(
          db,
          """
          DELETE FROM answers WHERE number IN (SELECT number FROM answers ORDER BY number LIMIT \(Self.stride / 2)) AND until <= ?
          """)
        try delete.bound(time).run()
        return try Prepared(db, oldest).row { $0.integer(0) }
      }
    }
  }

  /// Keeps answers of a session. In the transaction of a commit.
  func put(_ answers: [KeyedAnswer], of id: String, _ session: Int, _ db: Database) throws {
    let insert = try Prepared(db, Self.insertAnswer)
    for keyed in answers {
      let column = keyed.key.column(of: id)
      insert.bind(1, keyed.key == .creation ? 0 : session)
      insert.bind(2, blob: column)
      insert.bind(3, blob: keyed.answer.print.bytes)
      insert.bind(4, keyed.answer.until)
      insert.bind(5, keyed.answer.content.status)
      insert.bind(6, keyed.answer.content.head)
      insert.bind(8, keyed.answer.content.hole)
      try keyed.answer.content.body.withUnsafeBufferPointer { body in
        insert.bindInPlace(7, blob: body)
        try insert.run()
      }
      // Too many are looked for with one in 64 keys; which ones nobody can choose, since they are hashes.
      if keyed.key != .creation, column[0] & 63 == 0 { try forgetOldest(of: session, db) }
    }
  }

  /// Takes the answers of a session away, some at a time; of its creation stays that there was one. In a transaction. True: none is left.
  static func eraseAnswers(of session: Int, _ db: Database) throws -> Bool {
    try Prepared(db, "DELETE FROM answers WHERE number IN (SELECT number FROM answers WHERE session = ? LIMIT \(stride / 8))")
      .bound(session).run()
    return sqlite3_changes(db.sqliteConnection) < stride / 8
  }

  /// Of a session that is deleted: that it was started under a key is all that is known of it from now on.
  static func blankCreation(of id: String, _ db: Database) throws {
    let blank = try Prepared(db, "UPDATE answers SET status = 0, head = '', body = x'', hole = NULL WHERE session = 0 AND key = ?")
    blank.bind(1, blob: AnswerKey.creation.column(of: id))
    try blank.run()
  }

  private func forgetOldest(of session: Int, _ db: Database) throws {
    let delete = try Prepared(
      db,
      """
      DELETE FROM answers WHERE number IN (
        SELECT number FROM answers WHERE session = ? ORDER BY number DESC LIMIT -1 OFFSET \(KeptAnswer.limit))
      """)
    try delete.bound(session).run()
  }

  /// Whether so many came after a row that it does not count any more, although it is still there.
  private static func isForgotten(_ row: Int, of session: Int, _ db: Database) throws -> Bool {
    let newer = try Prepared(db, "SELECT count(*) FROM answers WHERE session = ? AND number > ?")
    newer.bind(1, session)
    newer.bind(2, row)
    return try newer.row { $0.integer(0) } ?? 0 >= KeptAnswer.limit
  }

  private static let insertAnswer = """
    INSERT OR REPLACE INTO answers (session, key, print, until, status, head, body, hole) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    """
}

extension AnswerKey {
  /// What stands in the column. Of a creation a hash of the session's id, so that the id itself goes with the session.
  fileprivate func column(of session: String) -> [UInt8] {
    switch self {
    case .creation: Array(SHA256.hash(data: Array(session.utf8)).prefix(16))
    case .request(let key): key.bytes
    }
  }
}

extension KeptAnswer {
  /// Columns of a row: print, until, status, head, body and hole, from one on.
  fileprivate init(_ row: Prepared, from first: Int32) {
    self.init(
      print: Fingerprint(row.bytes(first)), until: row.integer(first + 1),
      content: RenderedAnswer(
        status: row.integer(first + 2), head: row.text(first + 3), body: row.bytes(first + 4), hole: row.optionalInteger(first + 5)))
  }
}
