import CairnJournal
import GRDB

// The migration documents of apps.
extension SQLiteDocuments {
  func migrations(of app: String) throws(JournalError) -> [StoredMigration] {
    try database.guarded {
      try database.read { db in
        var found: [StoredMigration] = []
        try Prepared(db, "\(StoredMigration.select) WHERE app = ? ORDER BY old, new").bound(app).rows { row in
          let migration = StoredMigration(row)
          guard migration.value(database.check) == row.integer(6) else {
            throw JournalError.unreadable("the migration from \(migration.from) to \(migration.to) does not match its stored hash")
          }
          found.append(migration)
        }
        return found
      }
    }
  }

  func keep(_ migration: StoredMigration) throws(JournalError) {
    try database.guarded {
      try database.pool.write { db in
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO app_migrations (app, old, new, document, since, author, "check") VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [
            migration.app, migration.from, migration.to, migration.document, migration.since, migration.author,
            migration.value(database.check),
          ])
        try Mark.migrations.count("app_migrations", database.check, db)
      }
    }
  }
}

extension StoredMigration {
  static let select = "SELECT app, old, new, document, since, author, \"check\" FROM app_migrations"

  /// Reads a row of `select`.
  init(_ row: Prepared) {
    self.init(
      app: row.text(0), from: row.text(1), to: row.text(2), document: row.text(3), since: row.integer(4), author: row.optionalText(5))
  }

  /// The value of the row's column `check`.
  func value(_ check: RowCheck) -> Int {
    check.value("app_migrations", .text(app), .text(from), .text(to), .text(document), .integer(since), .text(author))
  }
}
