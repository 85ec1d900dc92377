import CairnCrypto
import CairnCore
import CairnJournal
import Foundation
import GRDB

/// Migrates a database to this version's schema. Each migration runs once, in order, in its own transaction, and a checksum of its text is stored.
struct MigrationRunner {
  private let path: String
  private let migrations: [(name: String, sql: String)]

  init(path: String, migrations: [(name: String, sql: String)]) {
    self.path = path
    self.migrations = migrations
  }

  /// Runs the pending migrations. Throws `SQLiteJournalError` before anything is written if this version cannot use the database.
  func run(_ db: Database) throws {
    for (index, migration) in migrations.enumerated().dropFirst(try known(db)) {
      try db.inTransaction(.immediate) {
        try db.execute(
          sql: "CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL) STRICT")
        try db.execute(sql: migration.sql)
        try db.execute(
          sql: "INSERT INTO migrations (name, checksum) VALUES (?, ?)",
          arguments: [migration.name, Self.checksum(migration.sql)])
        try DatabaseFormat.write(index + 1, db)
        return .commit
      }
    }
  }

  /// The number of pending migrations. Throws `SQLiteJournalError` if this version cannot use the database. Writes nothing.
  func pending(_ db: Database) throws -> Int { migrations.count - (try known(db)) }

  /// Throws `SQLiteJournalError` unless the database has exactly this version's schema. Writes nothing.
  func check(_ db: Database) throws {
    guard try pending(db) == 0 else {
      throw SQLiteJournalError.notOpened(path: path, reason: "its schema is older than this version; start the service on it once")
    }
  }

  /// The number of applied migrations. Throws `SQLiteJournalError` if this version cannot use the database.
  private func known(_ db: Database) throws -> Int {
    switch try DatabaseFormat(db) {
    case .new: return 0
    case .foreign: throw SQLiteJournalError.foreign(path: path)
    case .unnumbered: throw SQLiteJournalError.earlierBuild(path: path)
    case .cairn(let format):
      guard format <= migrations.count else {
        throw SQLiteJournalError.newerFormat(path: path, format: format, known: migrations.count)
      }
      try checkTexts(db, format)
      try checkEntries(db)
      try checkEditions(db)
      try checkLanguage(db, format)
      return format
    }
  }

  private func checkTexts(_ db: Database, _ format: Int) throws {
    let applied = try Row.fetchAll(db, sql: "SELECT name, checksum FROM migrations ORDER BY name")
    guard applied.count == format else {
      throw SQLiteJournalError.corrupt(path: path, reason: "\(applied.count) migrations are recorded, but its format is \(format)")
    }
    for (index, row) in applied.enumerated() {
      let (name, checksum): (String, String) = (row["name"], row["checksum"])
      guard index < migrations.count, migrations[index].name == name, Self.checksum(migrations[index].sql) == checksum else {
        throw SQLiteJournalError.changedMigration(path: path, migration: name)
      }
    }
  }

  /// Throws if the newest entry or snapshot has another format version than this build writes. This check does not depend on the file
  /// header.
  private func checkEntries(_ db: Database) throws {
    let formats = [
      (try Int.fetchOne(db, sql: "SELECT format FROM entries ORDER BY number DESC LIMIT 1"), CauseFormat.version),
      (try Int.fetchOne(db, sql: "SELECT format FROM snapshots ORDER BY entry DESC LIMIT 1"), StateFormat.version),
    ]
    for case (let found?, let known) in formats where found != known {
      throw found > known
        ? SQLiteJournalError.newerFormat(path: path, format: found, known: known) : SQLiteJournalError.earlierBuild(path: path)
    }
  }

  /// Throws if the database contains editions in the table `editions`, in which an earlier build stored them.
  private func checkEditions(_ db: Database) throws {
    guard try db.tableExists("editions") else { return }
    if try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM editions)") == true { throw SQLiteJournalError.earlierBuild(path: path) }
  }

  /// Once this many migrations have been applied, stored definitions use the words of `language: 1`.
  private static let language = 6

  /// Throws if the database has definitions in the words of an earlier version of the language.
  private func checkLanguage(_ db: Database, _ format: Int) throws {
    guard format < Self.language, try db.tableExists("documents") else { return }
    let rows = try Row.fetchAll(db, sql: "SELECT app, count(*) AS number FROM documents WHERE kind = 'edition' GROUP BY app ORDER BY app")
    guard !rows.isEmpty else { return }
    throw SQLiteJournalError.earlierLanguage(path: path, definitions: rows.reduce(0) { $0 + $1["number"] }, apps: rows.map { $0["app"] })
  }

  /// The SHA-256 of the text in lower-case hexadecimal digits.
  static func checksum(_ sql: String) -> String {
    Hexadecimal.text(of: SHA256.hash(sql))
  }
}
