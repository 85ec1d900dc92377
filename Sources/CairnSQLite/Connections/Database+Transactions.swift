import GRDB

// Transactions with cached BEGIN and COMMIT statements. GRDB's own transactions parse both statements each time, and query transaction
// observers, which Cairn does not use.

extension DatabasePool {
  /// Runs work on the writing connection in an immediate transaction, which takes the write lock at its start. Rolls back if the work or the commit
  /// throws.
  func committing<Result>(_ work: (Database) throws -> Result) throws -> Result {
    try writeWithoutTransaction { db in try db.transaction("BEGIN IMMEDIATE", work) }
  }

  /// Runs work on a reading connection in one transaction.
  func reading<Result>(_ work: (Database) throws -> Result) throws -> Result { try unsafeRead { db in try db.reading(work) } }
}

extension Database {
  /// Runs work in a deferred transaction, so that all reads see the same state of the database.
  func reading<Result>(_ work: (Database) throws -> Result) throws -> Result { try transaction("BEGIN", work) }

  fileprivate func transaction<Result>(_ begin: String, _ work: (Database) throws -> Result) throws -> Result {
    let commit = try Prepared(self, "COMMIT")
    try Prepared(self, begin).run()
    do {
      let result = try work(self)
      // After some errors, SQLite has already rolled the transaction back.
      guard isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_ABORT, message: "the transaction was rolled back") }
      try commit.run()
      return result
    } catch {
      if isInsideTransaction { try? rollback() }
      throw error
    }
  }
}
