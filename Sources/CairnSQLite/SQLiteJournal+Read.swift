package import CairnCore
package import CairnStore
import Foundation
import GRDB

extension SQLiteJournal {
  package func session(_ id: String) throws(JournalError) -> SessionRecord? {
    try guarded {
      try pool.read { db in
        try Row.fetchOne(db.cachedStatement(sql: "SELECT \(Self.columns) FROM sessions WHERE id = ?"), arguments: [id])
          .map(Self.record)
      }
    }
  }

  package func sessions(_ query: SessionQuery) throws(JournalError) -> [SessionRecord]? {
    try guarded {
      try pool.read { db in
        var after: Int64 = 0
        if let id = query.after {
          guard let number = try Int64.fetchOne(db, sql: "SELECT number FROM sessions WHERE id = ?", arguments: [id]) else {
            return nil
          }
          after = number
        }
        var sql = "SELECT \(Self.columns) FROM sessions WHERE number > ?"
        var arguments: StatementArguments = [after]
        if let app = query.app {
          sql += " AND app = ?"
          arguments += [app]
        }
        if let label = query.label {
          sql += " AND label = ?"
          arguments += [label]
        }
        sql += " ORDER BY number LIMIT ?"
        arguments += [query.limit]
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map(Self.record)
      }
    }
  }

  package func sessionsWithEffects() throws(JournalError) -> [String] {
    try guarded {
      try pool.read { db in try String.fetchAll(db, sql: "SELECT id FROM sessions WHERE effects > 0 ORDER BY number") }
    }
  }

  package func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [Entry] {
    try guarded {
      try pool.read { db in
        // The chain goes from the newest back; the numbers of an entire session rise with its revisions.
        let statement = try db.cachedStatement(
          sql: """
            WITH RECURSIVE chain (number, previous, revision) AS (
              SELECT e.number, e.previous, e.revision FROM sessions s JOIN entries e ON e.number = s.last_entry WHERE s.id = ?1
              UNION ALL
              SELECT e.number, e.previous, e.revision FROM chain c JOIN entries e ON e.number = c.previous WHERE c.revision > ?2 + 1
            )
            SELECT e.revision, e.at, e.nonce, e.cause FROM entries e
            WHERE e.number IN (SELECT number FROM chain WHERE revision > ?2 ORDER BY revision LIMIT ?3) ORDER BY e.number
            """)
        return try Row.fetchAll(statement, arguments: [session, revision, limit]).map { row in
          let cause: Entry.Cause = try Coding.value(row["cause"], "entry \(row["revision"] as Int) of session \(session)")
          return Entry(revision: row["revision"], stamp: Stamp(time: row["at"], nonce: row["nonce"]), cause: cause)
        }
      }
    }
  }

  package func definition(_ hash: String) throws(JournalError) -> String? {
    try guarded {
      try pool.read { db in try String.fetchOne(db, sql: "SELECT text FROM definitions WHERE hash = ?", arguments: [hash]) }
    }
  }

  package func secret(_ slot: SecretSlot, of session: String) throws(JournalError) -> String? {
    let box = try guarded {
      try pool.read { db in
        try Data.fetchOne(
          db.cachedStatement(sql: "SELECT box FROM secrets WHERE session = ? AND slot = ?"), arguments: [session, slot.number])
      }
    }
    guard let box else { return nil }
    guard let text = secrets.open(box, for: slot.purpose(of: session)) else {
      throw .unreadable("a secret of session \(session)")
    }
    return text
  }

  package func count() throws(JournalError) -> Int {
    try guarded { try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sessions") ?? 0 } }
  }

  private static let columns = "id, app, definition, label, created_at, updated_at, secret_hash, state"

  private static func record(_ row: Row) throws -> SessionRecord {
    let id: String = row["id"]
    let hash: Data = row["secret_hash"]
    return SessionRecord(
      id: id, app: row["app"], definition: row["definition"], label: row["label"], createdAt: row["created_at"],
      updatedAt: row["updated_at"], secretHash: Array(hash), state: try Coding.value(row["state"], "session \(id)"))
  }

  /// Runs a piece of work on the database and says in the journal's words why it failed.
  func guarded<Result>(_ work: () throws -> Result) throws(JournalError) -> Result {
    do {
      return try work()
    } catch let error as JournalError {
      throw error
    } catch let error as DatabaseError {
      throw Self.journalError(error)
    } catch {
      throw .io("\(type(of: error))")
    }
  }

  private static func journalError(_ error: DatabaseError) -> JournalError {
    let text = "\(error.message ?? "no details") (SQLite \(error.extendedResultCode.rawValue))"
    return switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
    case .SQLITE_FULL: .full
    case .SQLITE_READONLY, .SQLITE_PERM: .readOnly
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt(text)
    case .SQLITE_MISUSE: .closed
    default: .io(text)
    }
  }
}

/// JSON in text columns.
enum Coding {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// Throws `JournalError.unreadable` with what it was.
  static func value<Value: Decodable>(_ text: String, _ name: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw JournalError.unreadable("\(name) is not in a form that this version knows")
    }
  }
}

extension SecretSlot {
  /// The column: 0 for the token; ids of effects begin at 1.
  var number: Int {
    switch self {
    case .token: 0
    case .code(let effect): effect
    }
  }

  /// What is authenticated with the box.
  func purpose(of session: String) -> String {
    switch self {
    case .token: "\(session)/token"
    case .code(let effect): "\(session)/code/\(effect)"
    }
  }
}
