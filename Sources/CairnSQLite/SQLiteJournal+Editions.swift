package import CairnJournal
import GRDB

// The definitions of apps, and the number of sessions that use each.
extension SQLiteJournal {
  package func editions() throws(JournalError) -> [Edition] {
    try guarded {
      try read { db in
        try self.editions(
          Prepared(db, "\(Self.select) WHERE number IN (SELECT max(number) FROM editions GROUP BY app) ORDER BY app"))
      }
    }
  }

  package func editions(of app: String) throws(JournalError) -> [Edition] {
    try guarded {
      try read { db in
        try self.editions(Prepared(db, "\(Self.select) WHERE app = ? ORDER BY number DESC LIMIT \(Edition.limit)").bound(app)).reversed()
      }
    }
  }

  package func publish(
    _ editions: [Edition], texts: [String: String], after known: KnownEditions?, with rollout: RolloutChange?
  ) throws(JournalError) {
    try guarded {
      try pool.write { db in
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
              number, edition.app, edition.definition, edition.since, edition.author, edition.above, edition.value(number, check),
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

  package func uses(of app: String) throws(JournalError) -> [DefinitionUse] {
    try guarded {
      try read { db in
        var found: [DefinitionUse] = []
        // A definition belongs to one app, which is the app of its oldest session.
        let oldest = try Prepared(
          db,
          """
          SELECT s.app, h.created_at FROM heads h INDEXED BY heads_by_definition JOIN sessions s ON s.number = h.session
          WHERE h.definition = ? ORDER BY h.created_at LIMIT 1
          """)
        let count = try Prepared(db, "SELECT count(*) FROM heads INDEXED BY heads_by_definition WHERE definition = ?")
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

  private static let select = "SELECT app, definition, since, author, above, number, \"check\" FROM editions"

  private func editions(_ rows: Prepared) throws -> [Edition] {
    var found: [Edition] = []
    try rows.rows { row in
      let edition = Edition(
        app: row.text(0), definition: row.text(1), since: row.integer(2), author: row.isNull(3) ? nil : row.text(3),
        above: row.isNull(4) ? nil : row.text(4))
      guard edition.value(row.integer(5), check) == row.integer(6) else {
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
