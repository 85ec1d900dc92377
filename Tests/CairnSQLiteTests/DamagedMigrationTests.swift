import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@testable import CairnSQLite

@Suite struct `Damaged rows of migrations` {
  private let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func migration(_ to: String, since: Int = 1) -> StoredMigration {
    StoredMigration(app: "app", from: "one", to: to, document: "{}", since: since, author: nil)
  }

  private func change(_ change: String) throws {
    try database.change("UPDATE documents SET \(change) WHERE name = 'one two'")
  }

  @Test(arguments: [
    "name = 'garbage'", "name = 'one three'", "version = 7", "body = replace(body, '\"since\":1', '\"since\":2')", "body = 'garbage'",
  ])
  func `a damaged migration stops its app until it is stored again`(damage: String) throws {
    let journal = try database.open()
    defer { journal.close() }
    for to in ["two", "four"] { try journal.documents.keep(migration(to)) }
    try change(damage)
    #expect(throws: JournalError.self) { try journal.documents.migrations(of: "app") }
    // Storing another migration repairs nothing.
    try journal.documents.keep(migration("four", since: 2))
    #expect(throws: JournalError.self) { try journal.documents.migrations(of: "app") }
    try journal.documents.keep(migration("two", since: 3))
    #expect(try journal.documents.migrations(of: "app") == [migration("four", since: 2), migration("two", since: 3)])
    #expect(try journal.documents.documents(DocumentQuery(.migration)).allSatisfy(\.isIntact))
  }

  @Test func `a migration that was stored under another app's name does not stop that app`() throws {
    let journal = try database.open()
    let app = Trial.pinned("trial")
    try journal.documents.publish([Edition(app: "trial", definition: app.hash, since: 1, author: nil)], texts: [app.hash: app.text])
    try journal.documents.keep(Trial.migration(from: app, to: app))
    try database.change("UPDATE documents SET app = 'other' WHERE kind = 'migration'")
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(try awaiting { bench.store.releases.migrations(of: "other", reply: $0) }.get() == [])
  }
}
