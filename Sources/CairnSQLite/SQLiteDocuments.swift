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
}
