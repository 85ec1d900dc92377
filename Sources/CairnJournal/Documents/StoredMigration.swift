package import CairnCore

/// A migration document of an app as stored in the journal.
package struct StoredMigration: Hashable, Sendable {
  package var app: String
  /// The hashes of the definitions between which the document moves sessions.
  package var from, to: String
  /// The canonical text of the document.
  package var document: String
  /// The time at which an operator stored the document, in milliseconds since 1970.
  package var since: Int
  /// The name of the operator who stored the document.
  package var author: String?

  package init(app: String, from: String, to: String, document: String, since: Int, author: String?) {
    self.app = app
    self.from = from
    self.to = to
    self.document = document
    self.since = since
    self.author = author
  }
}

extension StoredMigration: Coded {
  package static var blank: StoredMigration { StoredMigration(app: "", from: "", to: "", document: "", since: 0, author: nil) }

  package static func members<C: Coder & ~Copyable>(_ it: inout StoredMigration, _ coder: inout C) throws(C.Failure) {
    try coder.member("app", &it.app)
    try coder.member("author", &it.author)
    try coder.member("document", &it.document)
    try coder.member("from", &it.from)
    try coder.member("since", &it.since)
    try coder.member("to", &it.to)
  }

  /// The name of the document. Definitions' hashes contain no spaces.
  fileprivate var name: String { "\(from) \(to)" }

  fileprivate func change(after known: Int) -> DocumentChange {
    DocumentChange(.migration, app: app, name: name, known: known, value: self)
  }
}

/// A row of a migration, which may be damaged.
private struct MigrationRow {
  let document: StoredDocument
  /// The decoded migration; `nil` if the body cannot be decoded.
  let migration: StoredMigration?

  /// Reads a row. Returns `nil` if the kind is damaged.
  init?(_ document: StoredDocument) {
    guard document.kind == .migration else { return nil }
    self.document = document
    // Unreported: the error is ignored here. Without a value the row counts as damaged, and its name identifies the migration.
    migration = try? document.value()
  }

  var isIntact: Bool { document.isIntact && migration != nil }

  /// Whether an intact row of this migration makes a damaged row superfluous: the damaged row has the same name, or its content names the
  /// same definitions.
  func isReplaced(by other: StoredMigration) -> Bool {
    document.name == other.name || migration?.name == other.name
  }
}

extension DocumentJournal {
  /// The migration documents of an app, sorted by the hashes of their definitions. Throws `.unreadable` if a document is damaged and has
  /// not been stored again. A damaged row whose definitions belong to another app is ignored.
  package func migrations(of app: String, owner: DefinitionOwner = { _ in nil }) throws(JournalError) -> [StoredMigration] {
    let rows = try migrationRows(of: app).filter { $0.isIntact || ($0.migration.flatMap { owner($0.from) } ?? app) == app }
    let intact = rows.filter(\.isIntact).compactMap(\.migration)
    for row in rows where !row.isIntact && !intact.contains(where: row.isReplaced) {
      throw .unreadable("the migration \(row.document.name) of the app \(app) does not match its stored hash; store it again")
    }
    return intact
  }

  /// Stores a migration document, which replaces a stored document between the same definitions. Deletes damaged rows of that document. Returns when the
  /// document is on disk. Throws `.outdated` if other nodes stored such a document during each of ten attempts. Must be called on the writer's thread.
  package func keep(_ migration: StoredMigration) throws(JournalError) {
    for attempt in 1...10 {
      let rows = try migrationRows(of: migration.app)
      let known = rows.first { $0.document.name == migration.name }?.document.version ?? 0
      let damaged = rows.filter { !$0.isIntact && $0.document.name != migration.name && $0.isReplaced(by: migration) }
      do throws(JournalError) {
        return try store(
          [migration.change(after: known)] + damaged.filter(\.document.isNamed).map { DocumentChange(deleting: $0.document, .migration) },
          texts: [:])
      } catch {
        // Another node has just stored a migration between the same definitions.
        guard case .outdated = error, attempt < 10 else { throw error }
      }
    }
  }

  private func migrationRows(of app: String) throws(JournalError) -> [MigrationRow] {
    try documents(DocumentQuery(.migration, app: app)).compactMap { MigrationRow($0) }
  }
}
