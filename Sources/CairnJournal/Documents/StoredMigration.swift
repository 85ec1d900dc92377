package import CairnCore

/// A migration document of an app as stored in the journal.
package struct StoredMigration: Hashable, Sendable {
  package var app: String
  /// The hashes of the definitions between which the document moves sessions.
  package var from, to: String
  /// The canonical text of the document.
  package var document: String
  /// The time at which it was put, in milliseconds since 1970.
  package var since: Int
  /// The name of the operator who put it.
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
  private var name: String { "\(from) \(to)" }

  fileprivate init(_ document: StoredDocument) throws(JournalError) {
    do throws(UnreadableFormat) {
      self = try document.value()
    } catch {
      throw .unreadable("the migration \(document.name): \(error.reason)")
    }
    guard document.isIntact else { throw .unreadable("the migration from \(from) to \(to) does not match its stored hash") }
  }

  fileprivate func change(after known: Int) -> DocumentChange {
    DocumentChange(.migration, app: app, name: name, known: known, value: self)
  }

  fileprivate var query: DocumentQuery { DocumentQuery(.migration, app: app, name: name) }
}

extension DocumentJournal {
  /// The migration documents of an app, sorted by the hashes of their definitions.
  package func migrations(of app: String) throws(JournalError) -> [StoredMigration] {
    var found: [StoredMigration] = []
    for document in try documents(DocumentQuery(.migration, app: app)) where document.kind == .migration {
      found.append(try StoredMigration(document))
    }
    return found
  }

  /// Stores a migration document, which replaces one between the same definitions. Returns when it is on disk. Called on the writer's thread.
  package func keep(_ migration: StoredMigration) throws(JournalError) {
    while true {
      let known = try documents(migration.query).first?.version ?? 0
      do throws(JournalError) {
        return try store([migration.change(after: known)], texts: [:])
      } catch {
        // Another node has just stored one.
        guard case .outdated = error else { throw error }
      }
    }
  }
}
