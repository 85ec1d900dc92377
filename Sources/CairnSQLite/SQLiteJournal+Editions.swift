package import CairnStore
import GRDB

// Which definitions apps are served with, and how many sessions are on each.
extension SQLiteJournal {
  package func editions() throws(JournalError) -> [Edition] {
    try guarded {
      try read { db in
        try Self.editions(
          Prepared(db, "\(Self.select) WHERE number IN (SELECT max(number) FROM editions GROUP BY app) ORDER BY app"))
      }
    }
  }

  package func editions(of app: String) throws(JournalError) -> [Edition] {
    try guarded {
      try read { db in
        try Self.editions(Prepared(db, "\(Self.select) WHERE app = ? ORDER BY number DESC LIMIT \(Edition.limit)").bound(app)).reversed()
      }
    }
  }

  package func publish(_ editions: [Edition], texts: [String: String]) throws(JournalError) {
    try guarded {
      try pool.write { db in
        for (hash, text) in texts {
          try db.execute(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)", arguments: [hash, text])
        }
        for edition in editions {
          try db.execute(
            sql: "INSERT INTO editions (app, definition, since, author, above) VALUES (?, ?, ?, ?, ?)",
            arguments: [edition.app, edition.definition, edition.since, edition.author, edition.above])
          try db.execute(
            sql: """
              DELETE FROM editions WHERE app = ?1 AND number <=
                (SELECT number FROM editions WHERE app = ?1 ORDER BY number DESC LIMIT 1 OFFSET \(Edition.limit))
              """, arguments: [edition.app])
        }
      }
    }
  }

  package func uses(of app: String) throws(JournalError) -> [DefinitionUse] {
    try guarded {
      try read { db in
        var found: [DefinitionUse] = []
        // A definition is one app's; whose, its oldest session says.
        let oldest = try Prepared(
          db, "SELECT app, created_at FROM sessions INDEXED BY sessions_by_definition WHERE definition = ? ORDER BY created_at LIMIT 1")
        let count = try Prepared(db, "SELECT count(*) FROM sessions INDEXED BY sessions_by_definition WHERE definition = ?")
        try Prepared(db, "SELECT hash FROM definitions ORDER BY hash").rows { row in
          let hash = row.text(0)
          guard let first = try oldest.bound(hash).row({ (app: $0.text(0), at: $0.integer(1)) }), first.app == app else { return }
          let sessions = try count.bound(hash).row { $0.integer(0) } ?? 0
          found.append(DefinitionUse(definition: hash, sessions: sessions, oldest: first.at))
        }
        return found
      }
    }
  }

  private static let select = "SELECT app, definition, since, author, above FROM editions"

  private static func editions(_ rows: Prepared) throws -> [Edition] {
    var found: [Edition] = []
    try rows.rows { row in
      found.append(
        Edition(
          app: row.text(0), definition: row.text(1), since: row.integer(2), author: row.isNull(3) ? nil : row.text(3),
          above: row.isNull(4) ? nil : row.text(4)))
    }
    return found
  }
}
