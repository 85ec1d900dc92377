import GRDB

/// Whether the pages of a database fit together.
enum Integrity {
  /// SQLite's findings, at most 20 lines; empty if there are none.
  static func faults(_ db: Database) throws -> [String] {
    do {
      return try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // Some damage ends the look at it.
      return [error.message ?? "damaged"]
    }
  }
}
