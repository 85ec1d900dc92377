import CairnCore
import Crypto
import Foundation
import GRDB

/// Brings a database to this version's schema: each migration once, in order, in a transaction of its own, with a checksum of its text.
struct MigrationRunner {
  private let path: String
  private let migrations: [(name: String, sql: String)]

  init(path: String, migrations: [(name: String, sql: String)]) {
    self.path = path
    self.migrations = migrations
  }

  /// Throws `SQLiteJournalError` before anything is written if the database is not one that this version may touch.
  func run(_ db: Database) throws {
    for migration in migrations.dropFirst(try known(db)) {
      try db.inTransaction(.immediate) {
        try db.execute(
          sql: "CREATE TABLE IF NOT EXISTS migrations (name TEXT NOT NULL PRIMARY KEY, checksum TEXT NOT NULL) STRICT")
        try db.execute(sql: migration.sql)
        try db.execute(
          sql: "INSERT INTO migrations (name, checksum) VALUES (?, ?)",
          arguments: [migration.name, Self.checksum(migration.sql)])
        return .commit
      }
    }
  }

  /// How many migrations it lacks. Throws `SQLiteJournalError` if this version may not touch it. Writes nothing.
  func pending(_ db: Database) throws -> Int { migrations.count - (try known(db)) }

  /// Throws `SQLiteJournalError` if it is not a database of just this version's schema. Writes nothing.
  func check(_ db: Database) throws {
    guard try pending(db) == 0 else {
      throw SQLiteJournalError.notOpened(path: path, reason: "it has an older schema; start the service on it once")
    }
  }

  /// How many migrations are applied, all of which this version knows.
  private func known(_ db: Database) throws -> Int {
    let applied = try applied(db)
    for (index, record) in applied.enumerated() {
      guard index < migrations.count, migrations[index].name == record.name else {
        throw SQLiteJournalError.newerSchema(path: path, migration: record.name)
      }
      guard Self.checksum(migrations[index].sql) == record.checksum else {
        throw SQLiteJournalError.changedMigration(path: path, migration: record.name)
      }
    }
    return applied.count
  }

  private func applied(_ db: Database) throws -> [(name: String, checksum: String)] {
    let tables = try Set(
      String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"))
    guard !tables.isEmpty else { return [] }
    guard tables.contains("migrations"),
      try db.columns(in: "migrations").map(\.name) == ["name", "checksum"]
    else { throw SQLiteJournalError.foreign(path: path) }
    return try Row.fetchAll(db, sql: "SELECT name, checksum FROM migrations ORDER BY name").map { ($0["name"], $0["checksum"]) }
  }

  /// Lower-case hex of SHA-256 over the text.
  static func checksum(_ sql: String) -> String {
    Hexadecimal.text(of: SHA256.hash(data: Data(sql.utf8)))
  }
}
