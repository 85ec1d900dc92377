import GRDB

/// Which program and which format a database is of, by the numbers in SQLite's file header.
enum DatabaseFormat: Hashable {
  /// It has no tables yet.
  case new
  /// Cairn's, with so many migrations.
  case cairn(format: Int)
  /// Cairn's, of a build from before formats had numbers.
  case unnumbered
  /// Another program's.
  case foreign

  /// `application_id`: "Crn1" as a big-endian integer.
  static let application = 0x4372_6E31

  /// Reads it; writes nothing.
  init(_ db: Database) throws {
    if try Int.fetchOne(db, sql: "PRAGMA application_id") == Self.application {
      self = .cairn(format: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
      return
    }
    let tables = try Set(
      String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"))
    self = tables.isEmpty ? .new : tables.isSuperset(of: ["migrations", "entries", "sessions", "definitions"]) ? .unnumbered : .foreign
  }

  /// Names the format in the file, in the transaction that brings the file to it.
  static func write(_ format: Int, _ db: Database) throws {
    try db.execute(sql: "PRAGMA application_id = \(application); PRAGMA user_version = \(format)")
  }
}
