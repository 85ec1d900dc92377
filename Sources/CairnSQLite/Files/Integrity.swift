import GRDB

/// Whether the pages of a database fit together.
enum Integrity {
  /// What SQLite finds wrong with it, at most 20 lines; none: nothing.
  static func faults(_ db: Database) throws -> [String] {
    do {
      return try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
      // Some damage ends the look at it.
      return [error.message ?? "damaged"]
    }
  }
}
