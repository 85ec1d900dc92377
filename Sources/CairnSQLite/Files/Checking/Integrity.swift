import GRDB

/// SQLite's integrity check of a database's pages.
enum Integrity {
  /// SQLite's findings, at most 20 lines; empty if the database is intact.
  static func faults(_ db: Database) throws -> [String] {
    do {
      return try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // If the damage is severe, the check itself fails with this error.
      return [error.message ?? "damaged"]
    }
  }
}
