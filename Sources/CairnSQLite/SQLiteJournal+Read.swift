import CairnCore
import CairnRuntime
package import CairnStore
import Foundation
import GRDB

extension SQLiteJournal {
  package func session(_ id: String, toWrite: Bool) throws(JournalError) -> SessionRecord? {
    try guarded {
      // The connection that writes keeps its pages from commit to commit; one that reads forgets all of them with each.
      let head = heads.withLock { $0[id] }
      guard toWrite else { return try read { db in try self.record(id, head, db) } }
      // In one transaction: outside of one each row that is read takes a lock of the file and gives it back.
      return try pool.writeWithoutTransaction { db in try db.reading { try self.record(id, head, $0) } }
    }
  }

  package func revision(of id: String) throws(JournalError) -> Int? {
    if let head = heads.withLock({ $0[id] }) { return head.revision }
    return try guarded { try pool.read { db in try self.head(of: id, db)?.revision } }
  }

  package func past(of id: String, at revision: Int) throws(JournalError) -> PastState? {
    try guarded { try read { db in try self.head(of: id, db).map { try self.state(of: id, $0, at: revision, db) } } }
  }

  package func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
    try guarded {
      try read { db in
        guard let head = try self.head(of: session, db), revision < head.revision, limit > 0 else { return [] }
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
    // No other node exists that could claim them.
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
      throw .unreadable("a secret of session \(session)")
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

  /// A look at the database as it is now. Not from the writer's thread: what empties the log holds readers up for a moment.
  func read<Result>(_ work: (Database) throws -> Result) throws -> Result {
    gate.enter()
    defer { gate.leave() }
    return try connections?.read(work) ?? pool.reading(work)
  }

  /// `head`: what `heads` had before the transaction read anything, since a later one may lie beyond what the transaction reads.
  private func record(_ id: String, _ head: Head?, _ db: Database) throws -> SessionRecord? {
    let find = try head.map { try Prepared(db, Self.sessionByNumber).bound($0.number) } ?? Prepared(db, Self.sessionByID).bound(id)
    return try find.row { try Self.found(id, $0, head) }.map { try newest($0, $1, db) }
  }

  /// The session in a row of `sessionColumns`, without its state, and where it stands: by the row, unless it is known.
  static func found(_ id: String, _ row: Prepared, _ known: Head?) throws -> (SessionRecord, Head) {
    guard !row.isNull(1) else { throw JournalError.unreadable("session \(id) has no head") }
    let head = known ?? Head(row, from: 5)
    let record = SessionRecord(
      id: id, app: row.text(0), definition: row.text(1), label: row.isNull(2) ? nil : row.text(2), createdAt: row.integer(3),
      updatedAt: head.updatedAt, secretHash: row.bytes(4), state: StateFormat.empty, hash: head.hash)
    return (record, head)
  }

  /// The session with its newest state.
  func newest(_ record: SessionRecord, _ head: Head, _ db: Database) throws -> SessionRecord {
    var empty = StateFormat.empty
    if let table = tables.withLock({ $0[record.definition] }) { empty.nodes = table }
    let newest = try state(of: record.id, head, at: head.revision, over: empty, db)
    guard newest.hash == head.hash else { throw JournalError.unreadable("session \(record.id): its head is not that of its newest entry") }
    return record.with(state: newest.state)
  }

  static let sessionColumns = """
    s.app, h.definition, h.label, s.created_at, s.secret_hash, s.number, h.revision, h.entry, h.hash, h.updated_at, h.due, s.id
    FROM sessions s LEFT JOIN heads h ON h.session = s.number
    """
  private static let sessionByNumber = "SELECT \(sessionColumns) WHERE s.number = ?"
  private static let sessionByID = "SELECT \(sessionColumns) WHERE s.id = ?"

  /// Runs a piece of work on the database and says in the journal's words why it failed.
  func guarded<Result>(_ work: () throws -> Result) throws(JournalError) -> Result {
    do {
      return try work()
    } catch {
      throw Self.journalError(error)
    }
  }

  /// The journal's words for what SQLite says.
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

extension SecretSlot {
  /// The column: 0 for the token; ids of effects begin at 1.
  var number: Int {
    switch self {
    case .token: 0
    case .code(let effect): effect
    }
  }

  /// The data that is authenticated with the box.
  func purpose(of session: String) -> String {
    switch self {
    case .token: "\(session)/token"
    case .code(let effect): "\(session)/code/\(effect)"
    }
  }
}
