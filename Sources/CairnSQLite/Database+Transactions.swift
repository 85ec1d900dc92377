import GRDB

// GRDB's transactions parse BEGIN and COMMIT with each call and ask for observers, of which there are none.

extension DatabasePool {
  /// Runs work on the connection that writes, in a transaction that may write from its start. Rolls back if the work or the commit throws.
  func committing<Result>(_ work: (Database) throws -> Result) throws -> Result {
    try writeWithoutTransaction { db in try db.transaction("BEGIN IMMEDIATE", work) }
  }

  /// Runs work on a connection that reads, in one transaction.
  func reading<Result>(_ work: (Database) throws -> Result) throws -> Result { try unsafeRead { db in try db.reading(work) } }
}

extension Database {
  /// Runs work in a transaction that only reads: all of one state of the database.
  func reading<Result>(_ work: (Database) throws -> Result) throws -> Result { try transaction("BEGIN", work) }

  fileprivate func transaction<Result>(_ begin: String, _ work: (Database) throws -> Result) throws -> Result {
    let commit = try Prepared(self, "COMMIT")
    try Prepared(self, begin).run()
    do {
      let result = try work(self)
      // After some errors SQLite has rolled back by itself.
      guard isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was rolled back") }
      try commit.run()
      return result
    } catch {
      if isInsideTransaction { try? rollback() }
      throw error
    }
  }
}
