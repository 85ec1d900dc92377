import CairnJournal
import GRDB

extension SQLiteDocuments {
  func editions() throws(JournalError) -> [Edition] {
    try database.guarded {
      try database.read { db in
        try self.editions(
          Prepared(db, "\(Self.select) WHERE number IN (SELECT max(number) FROM editions GROUP BY app) ORDER BY app"))
      }
    }
  }

  func editions(of app: String) throws(JournalError) -> [Edition] {
    try database.guarded {
      try database.read { db in
        try self.editions(Prepared(db, "\(Self.select) WHERE app = ? ORDER BY number DESC LIMIT \(Edition.limit)").bound(app)).reversed()
      }
    }
  }

  func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions?, with rollout: RolloutChange?
  ) throws(JournalError) {
    try database.guarded {
      try database.pool.write { db in
        if let rollout { try self.keep(rollout.rollout, after: rollout.known, db) }
        if let known {
          for app in Set(editions.map(\.app)) {
            let newest = try self.editions(Prepared(db, "\(Self.select) WHERE app = ? ORDER BY number DESC LIMIT 1").bound(app)).first
            guard newest == known[app] else { throw JournalError.outdated(app: app) }
          }
        }
        for (hash, text) in texts {
          try db.execute(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)", arguments: [hash, text])
        }
        for edition in editions {
          let number = (try Int.fetchOne(db, sql: "SELECT max(number) FROM editions") ?? 0) + 1
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

  private static let select = "SELECT app, definition, since, author, above, number, \"check\" FROM editions"

  private func editions(_ rows: Prepared) throws -> [Edition] {
    var found: [Edition] = []
    try rows.rows { row in
      let edition = Edition(
        app: row.text(0), definition: row.text(1), since: row.integer(2), author: row.isNull(3) ? nil : row.text(3),
        above: row.isNull(4) ? nil : row.text(4))
      guard edition.value(row.integer(5), database.check) == row.integer(6) else {
        throw JournalError.unreadable("edition \(row.integer(5)) does not match its stored hash")
      }
      found.append(edition)
    }
    return found
  }
}

extension Edition {
  /// The value of the row's column `check`.
  func value(_ number: Int, _ check: RowCheck) -> Int {
    check.value(
      "editions", .integer(number), .text(app), .text(definition), .integer(since), .text(author), .text(above))
  }
}
