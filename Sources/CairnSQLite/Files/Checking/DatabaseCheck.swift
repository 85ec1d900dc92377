package import CairnJournal
import GRDB

/// All checks that `cairn verify` runs on a database. The database is opened for inspection only.
package struct DatabaseCheck {
  /// The faults, one line each.
  package private(set) var faults: [String] = []
  package private(set) var sessions = 0
  /// The ids of sessions with faults.
  package private(set) var damaged: Set<String> = []
  package private(set) var definitions = 0
  package private(set) var secrets = 0
  private let journal: SQLiteJournal
  private let isWanted: () -> Bool
  private let progress: (_ sessions: Int) -> Void

  /// Checks the whole database. Unreadable parts are reported as faults, and the remaining parts are still checked. `definitions` parses a
  /// canonical text. `opensSecrets` is whether the journal has the keys to decrypt secrets. With `importChecks`, data that an import would
  /// refuse also counts as a fault. `isWanted` is called often; once it returns `false`, the initializer throws `closed`. `progress` is
  /// called before each session with the number of sessions checked so far.
  package init(
    _ journal: SQLiteJournal, opensSecrets: Bool, importChecks: ImportChecks? = nil, while isWanted: @escaping () -> Bool = { true },
    progress: @escaping (_ sessions: Int) -> Void = { _ in },
    definitions read: @escaping @Sendable (String) throws -> PinnedDefinition
  ) throws(JournalError) {
    self.journal = journal
    self.isWanted = isWanted
    self.progress = progress
    let check = SessionCheck(journal, definitions: read, opensSecrets: opensSecrets, importChecks: importChecks)
    let pages = try found("pages") { () throws(JournalError) in try journal.integrityFaults() }
    for fault in pages ?? [] { note("pages: \(fault)", of: nil) }
    let hashes = try found("definitions") { () throws(JournalError) in try journal.documents.definitions() } ?? []
    definitions = hashes.count
    for hash in hashes {
      let fault = try found("definition \(hash)") { () throws(JournalError) in try check.fault(ofDefinition: hash) }
      if let fault = fault ?? nil { note(fault, of: nil) }
    }
    try checkSchema()
    try checkTables()
    for fault in try found("documents", { () throws(JournalError) in try check.documentFaults() }) ?? [] { note(fault, of: nil) }
    try checkSessions(check)
    try checkSecrets(opensSecrets)
  }

  private mutating func checkSchema() throws(JournalError) {
    let names = try found("the schema") { [journal] () throws(JournalError) in try journal.schemaFaults() } ?? []
    for name in names { note("the schema: \(name) differs from its definition in the migrations", of: nil) }
  }

  private mutating func checkTables() throws(JournalError) {
    let faults = try found("tables") { [journal] () throws(JournalError) in try journal.tableFaults() } ?? []
    for (session, text) in faults { note(text, of: session) }
  }

  private mutating func checkSessions(_ check: SessionCheck) throws(JournalError) {
    var place = 0
    while true {
      let next = try found("the list of sessions") { [journal, place] () throws(JournalError) in
        try journal.sessions.roster(after: place, limit: 100)
      }
      guard let next, let last = next.last else { return }
      place = last.place
      for (_, id) in next {
        progress(sessions)
        if let fault = try check.fault(of: id, while: isWanted) { note(fault, of: id) }
        sessions += 1
      }
    }
  }

  private mutating func checkSecrets(_ opensSecrets: Bool) throws(JournalError) {
    let found = try found("secrets") { [journal] () throws(JournalError) in try journal.secretFaults(opening: opensSecrets) }
    secrets = found?.count ?? 0
    for session in found?.sessions ?? [] {
      note("a secret was encrypted with another key, or was changed after it was written", of: session)
    }
  }

  private mutating func note(_ text: String, of session: String?) {
    if let session { damaged.insert(session) }
    faults.append(session.map { "session \($0): \(text)" } ?? text)
  }

  /// Returns the result of `read`. If damage prevents reading, adds a fault and returns `nil`.
  private mutating func found<Found>(_ what: String, _ read: () throws(JournalError) -> Found) throws(JournalError) -> Found? {
    do {
      return try read()
    } catch {
      switch error {
      case .corrupt(let text), .unreadable(let text):
        note("\(what): \(text)", of: nil)
        return nil
      case .busy, .full, .readOnly, .conflict, .outdated, .tooLarge, .forgotten, .io, .uncertain, .closed: throw error
      }
    }
  }
}

extension SQLiteJournal {
  /// The names of the tables and indexes that differ from those of the migrations: missing, additional, or with another definition.
  fileprivate func schemaFaults() throws(JournalError) -> [String] {
    try database.guarded {
      let expected = try DatabaseQueue().writeWithoutTransaction { db in
        try MigrationRunner(path: database.path, migrations: Self.migrations).run(db)
        return try Self.schema(db)
      }
      let found = try database.pool.read { db in try Self.schema(db) }
      return Set(expected.keys).union(found.keys).subtracting(neighbors).filter { expected[$0] != found[$0] }.sorted()
    }
  }

  /// The tables that Litestream creates in each database that it replicates.
  private var neighbors: Set<String> { ["_litestream_lock", "_litestream_seq"] }

  /// The SQL text of each table and index, by name. SQLite's internal tables have no text, and are not included.
  private static func schema(_ db: Database) throws -> [String: String] {
    let rows = try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    return Dictionary(rows.map { ($0["name"] as String, $0["sql"] as String) }) { first, _ in first }
  }

  /// The findings of `TableCheck`.
  fileprivate func tableFaults() throws(JournalError) -> [(session: String?, text: String)] {
    try database.guarded { try database.pool.read { db in try TableCheck(db, database.check).faults } }
  }
}
