import CairnJournal
import GRDB

// The newest rollout of each app.
extension SQLiteDocuments {
  func rollouts() throws(JournalError) -> StoredRollouts {
    try database.guarded {
      try database.read { db in
        var found = StoredRollouts()
        try Prepared(db, RolloutRow.select).rows { row in
          let row = RolloutRow(row)
          found.add(app: row.app, version: row.version, content: row.content, isIntact: row.isIntact(database.check))
        }
        return found
      }
    }
  }

  func keep(_ rollout: Rollout, after version: Int) throws(JournalError) {
    try database.guarded { try database.pool.write { db in try self.keep(rollout, after: version, db) } }
  }

  /// Stores a rollout in the current transaction. Throws `.outdated` if the app's version is not `version`.
  func keep(_ rollout: Rollout, after version: Int, _ db: Database) throws {
    let known = try Int.fetchOne(db, sql: "SELECT version FROM rollouts WHERE app = ?", arguments: [rollout.app]) ?? 0
    guard known == version else { throw JournalError.outdated(app: rollout.app) }
    let row = RolloutRow(app: rollout.app, version: rollout.version, content: rollout.content)
    try db.execute(
      sql: "INSERT OR REPLACE INTO rollouts (app, version, content, \"check\") VALUES (?, ?, ?, ?)",
      arguments: [row.app, row.version, row.content, row.value(database.check)])
    try Mark.rollouts.count("rollouts", database.check, db)
  }
}

/// A row of the table of rollouts.
struct RolloutRow {
  let app: String
  let version: Int
  let content: String
  private var stored = 0

  static let select = "SELECT app, version, content, \"check\" FROM rollouts ORDER BY app"

  init(app: String, version: Int, content: String) {
    self.app = app
    self.version = version
    self.content = content
  }

  /// Reads a row of `select`.
  init(_ row: Prepared) {
    self.init(app: row.text(0), version: row.integer(1), content: row.text(2))
    stored = row.integer(3)
  }

  /// Whether a row has the check value with which it was written.
  func isIntact(_ check: RowCheck) -> Bool { value(check) == stored }

  /// The value of the column `check`.
  func value(_ check: RowCheck) -> Int { check.value("rollouts", .text(app), .integer(version), .text(content)) }
}
