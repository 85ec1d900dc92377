import CairnJournal
import GRDB

extension SQLiteDocuments {
  func editions() throws(JournalError) -> StoredEditions {
    // All rows are read: one with a damaged number may be the newest of its app.
    try database.guarded { try database.read { db in try EditionRows(db, database.check).stored } }
  }

  func editions(of app: String) throws(JournalError) -> [Edition] {
    let rows = try database.guarded { try database.read { db in try EditionRows(of: app, db, database.check) } }
    try rows.stored.require(app)
    return rows.intact.suffix(Edition.limit).map(\.edition)
  }

  func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions?, with rollout: RolloutChange?
  ) throws(JournalError) {
    try database.guarded {
      try database.pool.write { db in
        if let rollout { try self.keep(rollout.rollout, after: rollout.known, db) }
        if let known {
          for app in Set(editions.map(\.app)) {
            let newest = try EditionRows(of: app, db, database.check).intact.last?.edition
            guard newest == known[app] else { throw JournalError.outdated(app: app) }
          }
        }
        for (hash, text) in texts {
          try db.execute(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)", arguments: [hash, text])
        }
        for app in Set(editions.map(\.app)) {
          for row in try EditionRows(of: app, db, database.check).damaged {
            try db.execute(sql: "DELETE FROM editions WHERE number = ?", arguments: [row.number])
          }
        }
        for edition in editions {
          // A damaged row of another app may have the largest number there is.
          let number = (try Int.fetchOne(db, sql: "SELECT max(number) FROM editions WHERE number < ?", arguments: [Int.max]) ?? 0) + 1
          try db.execute(
            sql: "INSERT INTO editions (number, app, definition, since, author, above, \"check\") VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
              number, edition.app, edition.definition, edition.since, edition.author, edition.above, edition.value(number, database.check),
            ])
          try db.execute(
            sql: """
              DELETE FROM editions WHERE app = ?1 AND number <=
                (SELECT number FROM editions WHERE app = ?1 ORDER BY number DESC LIMIT 1 OFFSET \(Edition.limit))
              """, arguments: [edition.app])
        }
      }
    }
  }
}

/// The rows of the table of editions, oldest first.
private struct EditionRows {
  private(set) var intact: [StoredEditions.Row] = []
  private(set) var damaged: [StoredEditions.Row] = []

  /// Reads the rows of an app, or of all apps if `app` is `nil`.
  init(of app: String? = nil, _ db: Database, _ check: RowCheck) throws {
    let rows = try Prepared(
      db,
      """
      SELECT app, definition, since, author, above, number, "check" FROM editions\(app == nil ? "" : " WHERE app = ?") ORDER BY number
      """)
    try (app.map { rows.bound($0) } ?? rows).rows { row in
      let edition = Edition(
        app: row.text(0), definition: row.text(1), since: row.integer(2), author: row.isNull(3) ? nil : row.text(3),
        above: row.isNull(4) ? nil : row.text(4))
      let stored = StoredEditions.Row(edition, number: row.integer(5))
      if edition.value(stored.number, check) == row.integer(6) { intact.append(stored) } else { damaged.append(stored) }
    }
  }

  var stored: StoredEditions { StoredEditions(intact, damaged: damaged) }
}

extension Edition {
  /// The value of the row's column `check`.
  func value(_ number: Int, _ check: RowCheck) -> Int {
    check.value(
      "editions", .integer(number), .text(app), .text(definition), .integer(since), .text(author), .text(above))
  }
}
