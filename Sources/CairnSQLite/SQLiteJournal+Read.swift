import CairnCore
import CairnRuntime
import CairnCrypto
package import CairnJournal
import Foundation
import GRDB

extension SQLiteJournal {
  package func session(_ id: String, toWrite: Bool) throws(JournalError) -> SessionRecord? {
    try guarded {
      // The writing connection keeps its page cache between commits. A reading connection discards its cache after each commit.
      let head = heads.withLock { $0[id] }
      guard toWrite else { return try read { db in try self.record(id, head, db) } }
      // Outside a transaction, each statement would take and release a file lock.
      return try pool.writeWithoutTransaction { db in try db.reading { try self.record(id, head, $0) } }
    }
  }

  package func version(of id: String) throws(JournalError) -> SessionVersion? {
    if let head = heads.withLock({ $0[id] }) { return head.version }
    return try guarded { try pool.read { db in try self.head(of: id, db)?.version } }
  }

  package func past(of id: String, at revision: Int) throws(JournalError) -> PastState? {
    try guarded {
      try read { db in
        guard let head = try self.head(of: id, db) else { return nil }
        let definition = try Prepared(db, "SELECT definition FROM heads WHERE session = ?").bound(head.number).row { $0.text(0) }
        return try self.state(of: id, head, at: revision, newest: definition ?? "", db)
      }
    }
  }

  package func beginning(of id: String) throws(JournalError) -> JournalBeginning? {
    try guarded {
      try read { db in try self.head(of: id, db)?.beginning.map { JournalBeginning($0.revision, identity: $0.identity) } }
    }
  }

  package func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
    try guarded {
      try read { db in
        guard let head = try self.head(of: session, db) else { return [] }
        if let first = head.beginning?.revision, revision < first { throw JournalError.forgotten(first: first) }
        guard revision < head.revision, limit > 0 else { return [] }
        let last = limit < head.revision - max(0, revision) ? max(0, revision) + limit : head.revision
        return try self.chain(of: session, head, after: revision, through: last, db)
      }
    }
  }

  package func roster(after place: Int, limit: Int) throws(JournalError) -> [(place: Int, id: String)] {
    try guarded {
      try read { db in
        var found: [(place: Int, id: String)] = []
        let next = try Prepared(db, "SELECT number, id FROM sessions WHERE number > ? ORDER BY number LIMIT ?")
        next.bind(1, place)
        next.bind(2, limit)
        try next.rows { found.append(($0.integer(0), $0.text(1))) }
        return found
      }
    }
  }

  package func claimEffects(until time: Int) throws(JournalError) -> [DueSession] {
    // No other node can claim effects, because the database has only one process.
    try guarded {
      let unwritten = heads.withLock { $0.unwritten }
      return try pool.read { db in
        var found = unwritten.compactMap { id, head in head.due.map { DueSession(id: id, due: $0) } }
        let due = try Prepared(db, "SELECT s.id, h.due FROM heads h JOIN sessions s ON s.number = h.session WHERE h.due IS NOT NULL")
        try due.rows { row in
          let id = row.text(0)
          if unwritten[id] == nil { found.append(DueSession(id: id, due: row.integer(1))) }
        }
        return found
      }
    }
  }

  package func definitions() throws(JournalError) -> [String] {
    try guarded { try read { db in try String.fetchAll(db, sql: "SELECT hash FROM definitions ORDER BY hash") } }
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
      throw .unreadable("a secret of session \(session) cannot be decrypted")
    }
    return text
  }

  package func expect(_ definition: PinnedDefinition) {
    let table = definition.reducer.emptyTable
    tables.withLock { $0.keep(table, for: definition.hash, weight: definition.text.utf8.count) }
  }

  package func count() throws(JournalError) -> Int {
    try guarded { try pool.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM sessions") ?? 0 } }
  }

  /// Runs a read of the current database. Must not be called on the writer's thread, because readers are blocked while the log is emptied.
  func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
    gate.enter()
    defer { gate.leave() }
    return try connections?.read(work) ?? pool.reading(work)
  }

  /// `head` must have been read from `heads` before the transaction began. A newer head could refer to entries that the transaction does not see.
  private func record(_ id: String, _ head: Head?, _ db: Database) throws -> SessionRecord? {
    let find = try head.map { try Prepared(db, Self.sessionByNumber).bound($0.number) } ?? Prepared(db, Self.sessionByID).bound(id)
    return try find.row { try self.found(id, $0, head) }.map { try newest($0, $1, db) }
  }

  /// The session in a row of `sessionColumns`, without its state, and its head. `known` is used instead of the row's head if it is not `nil`.
  func found(_ id: String, _ row: Prepared, _ known: Head?) throws -> (SessionRecord, Head) {
    guard !row.isNull(1) else { throw JournalError.unreadable("session \(id) has no head") }
    let head = try known ?? Head(row, from: 5).beginning(with: Beginning(row, from: 12, check), of: id)
    let record = SessionRecord(
      id: id, app: row.text(0), definition: row.text(1), label: row.isNull(2) ? nil : row.text(2), createdAt: row.integer(3),
      updatedAt: head.updatedAt, secretHash: row.bytes(4), state: StateFormat.empty, hash: head.hash,
      beginning: head.beginning?.revision ?? 0)
    return (record, head)
  }

  /// The session with its newest state.
  func newest(_ record: SessionRecord, _ head: Head, _ db: Database) throws -> SessionRecord {
    var empty = StateFormat.empty
    if let table = tables.withLock({ $0[record.definition] }) { empty.nodes = table }
    let newest = try state(of: record.id, head, at: head.revision, newest: record.definition, over: empty, db)
    guard newest.hash == head.hash else { throw JournalError.unreadable("session \(record.id): its head does not match its newest entry") }
    return record.with(state: newest.state)
  }

  static let sessionColumns = """
    s.app, h.definition, h.label, s.created_at, s.secret_hash, s.number, h.revision, h.entry, h.hash, h.updated_at, h.due, s.id,
    \(Beginning.columns) FROM sessions s LEFT JOIN heads h ON h.session = s.number LEFT JOIN beginnings b ON b.session = s.number
    """
  private static let sessionByNumber = "SELECT \(sessionColumns) WHERE s.number = ?"
  private static let sessionByID = "SELECT \(sessionColumns) WHERE s.id = ?"

  /// Runs work on the database and converts its errors to `JournalError`.
  func guarded<Result>(_ work: () throws -> Result) throws(JournalError) -> Result {
    do {
      return try work()
    } catch {
      throw Self.journalError(error)
    }
  }

  /// Converts an error of SQLite to a `JournalError`.
  static func journalError(_ error: any Error) -> JournalError {
    if let error = error as? JournalError { return error }
    guard let error = error as? DatabaseError else { return .io("\(type(of: error))") }
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
