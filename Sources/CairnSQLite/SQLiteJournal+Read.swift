import CairnCore
import CairnRuntime
package import CairnStore
import Foundation
import GRDB

extension SQLiteJournal {
  package func session(_ id: String, toWrite: Bool) throws(JournalError) -> SessionRecord? {
    try guarded {
      // The connection that writes keeps its pages from commit to commit; one that reads forgets all of them with each.
      guard toWrite else { return try read { db in try self.record(id, db) } }
      return try pool.writeWithoutTransaction { db in
        // In one transaction: outside of one each row that is read takes a lock of the file and gives it back. By statements that are kept.
        let end = try Prepared(db, "COMMIT")
        try Prepared(db, "BEGIN").run()
        let record = Result { try self.record(id, db) }
        try end.run()
        return try record.get()
      }
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
    return try pool.read(work)
  }

  private func record(_ id: String, _ db: Database) throws -> SessionRecord? {
    let found: (record: SessionRecord, head: Head)?
    if let head = heads.withLock({ $0[id] }) {
      found = try Prepared(db, Self.sessionByNumber).bound(head.number).row { (try Self.record(id, $0, head), head) }
    } else {
      found = try Prepared(db, Self.sessionByID).bound(id).row { row in
        let head = Head(row, from: 5)
        return (try Self.record(id, row, head), head)
      }
    }
    guard let found else { return nil }
    var empty = StateFormat.empty
    if let table = tables.withLock({ $0[found.record.definition] }) { empty.nodes = table }
    let newest = try state(of: id, found.head, at: found.head.revision, over: empty, db)
    guard newest.hash == found.head.hash else { throw JournalError.unreadable("session \(id): its head is not that of its newest entry") }
    return found.record.with(state: newest.state)
  }

  private static func record(_ id: String, _ row: Prepared, _ head: Head) throws -> SessionRecord {
    guard !row.isNull(1) else { throw JournalError.unreadable("session \(id) has no head") }
    return SessionRecord(
      id: id, app: row.text(0), definition: row.text(1), label: row.isNull(2) ? nil : row.text(2), createdAt: row.integer(3),
      updatedAt: head.updatedAt, secretHash: row.bytes(4), state: StateFormat.empty, hash: head.hash)
  }

  private static let sessionByNumber = """
    SELECT s.app, h.definition, h.label, s.created_at, s.secret_hash
    FROM sessions s LEFT JOIN heads h ON h.session = s.number WHERE s.number = ?
    """
  private static let sessionByID = """
    SELECT s.app, h.definition, h.label, s.created_at, s.secret_hash, s.number, h.revision, h.entry, h.hash, h.updated_at, h.due
    FROM sessions s LEFT JOIN heads h ON h.session = s.number WHERE s.id = ?
    """

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
