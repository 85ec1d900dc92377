import CairnCore
import CairnJournal
import CairnRuntime
import GRDB

/// The definitions of apps and the documents about them in a journal on SQLite.
struct SQLiteDocuments: DocumentJournal {
  let database: SQLiteDatabase

  func definitions() throws(JournalError) -> [String] {
    try database.guarded { try database.read { db in try String.fetchAll(db, sql: "SELECT hash FROM definitions ORDER BY hash") } }
  }

  func definition(_ hash: String) throws(JournalError) -> String? {
    try database.guarded {
      try database.pool.read { db in try String.fetchOne(db, sql: "SELECT text FROM definitions WHERE hash = ?", arguments: [hash]) }
    }
  }

  func expect(_ definition: PinnedDefinition) {
    let table = definition.reducer.emptyTable
    database.tables.withLock { $0.keep(table, for: definition.hash, weight: definition.text.utf8.count) }
  }

  func documents(_ query: DocumentQuery) throws(JournalError) -> [StoredDocument] {
    try database.guarded {
      // The writer's thread reads here too. It must not wait for the reading connections, so this read uses GRDB's pool.
      try database.pool.read { db in
        let rows = try Prepared(
          db,
          """
          SELECT kind, app, name, version, body, "check" FROM documents
          WHERE (?1 IS NULL OR kind = ?1 OR ?3 IS NULL AND kind NOT IN (\(DocumentKind.list)))
            AND (?2 IS NULL OR app = ?2) AND (?3 IS NULL OR name = ?3)
          ORDER BY kind, app, name
          """)
        rows.bind(1, query.kind?.rawValue)
        rows.bind(2, query.app)
        rows.bind(3, query.name)
        var found: [StoredDocument] = []
        try rows.rows { row in
          found.append(
            StoredDocument(
              kind: row.text(0), app: row.text(1), name: row.text(2), version: row.integer(3), body: row.text(4), stored: row.integer(5),
              database.check))
        }
        return found
      }
    }
  }

  func store(_ changes: [DocumentChange], texts: [String: String]) throws(JournalError) {
    try database.guarded {
      try database.pool.write { db in
        for (hash, text) in texts {
          try db.execute(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)", arguments: [hash, text])
        }
        var added = 0
        for change in changes {
          let key: StatementArguments = [change.kind.rawValue, change.app, change.name]
          let version = try Int.fetchOne(
            db, sql: "SELECT version FROM documents WHERE kind = ? AND app = ? AND name = ?", arguments: key)
          guard version ?? 0 == change.known else { throw JournalError.outdated(app: change.app) }
          // The row is deleted even if no version was found, because a damaged version may be read as NULL.
          try db.execute(sql: "DELETE FROM documents WHERE kind = ? AND app = ? AND name = ?", arguments: key)
          added -= db.changesCount
          guard let body = change.body else { continue }
          try db.execute(
            sql: "INSERT INTO documents (kind, app, name, version, body, \"check\") VALUES (?, ?, ?, ?, ?, ?)",
            arguments: key + [change.version, body, change.value(database.check)])
          added += 1
        }
        if added != 0 { try Mark.documents.count(adding: added, database.check, db) }
      }
    }
  }
}
