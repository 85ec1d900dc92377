import CairnCore
import CairnJournal
import CairnStore
import CairnTesting
import Testing

@testable import CairnSQLite

@Suite struct `Damaged rows of editions` {
  private let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private func edition(_ app: String, _ since: Int) -> Edition {
    Edition(app: app, definition: "hash of \(app)", since: since, author: "eve")
  }

  private func publish(_ edition: Edition, _ journal: SQLiteJournal) throws {
    try journal.documents.publish([edition], texts: [edition.definition: "text"])
  }

  private func change(_ change: String, of app: String, _ number: Int) throws {
    try database.change("UPDATE documents SET \(change) WHERE app = '\(app)' AND name = '00000000000\(number)'")
  }

  @Test(arguments: [
    "body = replace(body, '\"since\":3', '\"since\":7')", "body = replace(body, '\"author\":\"eve\",', '')", "body = 'garbage'",
    "name = '-9223372036854775808'", "name = '999999999999'", "name = 'garbage'", "version = 9223372036854775807", "kind = 'garbage'",
  ])
  func `a damaged newest edition is reported beside the others, and a new one replaces it`(damage: String) throws {
    let journal = try database.open()
    defer { journal.close() }
    for (app, since) in [("b", 1), ("a", 2), ("b", 3)] { try publish(edition(app, since), journal) }
    try change(damage, of: "b", 2)
    let found = try journal.documents.editions()
    #expect(found.intact == [edition("a", 2)])
    #expect(found.damaged.keys.sorted() == ["b"])
    #expect(throws: JournalError.self) { try journal.documents.editions(of: "b") }
    #expect(try journal.documents.editions(of: "a") == [edition("a", 2)])
    try publish(edition("a", 4), journal)
    try publish(edition("b", 5), journal)
    #expect(try journal.documents.editions().intact == [edition("a", 4), edition("b", 5)])
    #expect(try journal.documents.editions().damaged == [:])
    #expect(try journal.documents.editions(of: "b") == [edition("b", 1), edition("b", 5)])
  }

  @Test func `a damaged earlier edition does not hold up its app`() throws {
    let journal = try database.open()
    defer { journal.close() }
    for since in [1, 2] { try publish(edition("b", since), journal) }
    try change("body = replace(body, 'eve', 'mallory')", of: "b", 1)
    #expect(try journal.documents.editions().intact == [edition("b", 2)])
    #expect(try journal.documents.editions(of: "b") == [edition("b", 2)])
  }

  @Test func `an edition whose name of the app is damaged is found by its definition`() throws {
    let journal = try database.open()
    let app = Trial.pinned("trial")
    let edition = Edition(app: "trial", definition: app.hash, since: 5, author: "eve")
    try journal.documents.publish([edition], texts: [app.hash: app.text])
    try change("app = 'other'", of: "trial", 1)
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let found = try awaiting { bench.store.releases.editions(reply: $0) }.get()
    #expect(found.intact == [] && found.damaged.keys.sorted() == ["trial"])
  }

  @Test func `a put of another app keeps a damaged edition that was stored under its name`() throws {
    let journal = try database.open()
    let (app, other) = (Trial.pinned("trial"), Trial.pinned("other"))
    let editions = [app, app, other].enumerated().map { Edition(app: $1.definition.app, definition: $1.hash, since: $0, author: "eve") }
    for edition in editions { try journal.documents.publish([edition], texts: [app.hash: app.text, other.hash: other.text]) }
    try change("app = 'other'", of: "trial", 2)
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    #expect(try awaiting { bench.store.releases.versions(of: "other", reply: $0) }.get().editions == [editions[2]])
    let next = Edition(app: "other", definition: other.hash, since: 9, author: "eve")
    try awaiting { bench.store.releases.publish([next], texts: [:], after: ["other": editions[2]], reply: $0) }.get()
    let found = try awaiting { bench.store.releases.editions(reply: $0) }.get()
    // The app must not fall back to its earlier definition.
    #expect(found.intact == [next] && found.damaged.keys.sorted() == ["trial"])
  }
}
