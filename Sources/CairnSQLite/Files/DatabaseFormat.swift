import GRDB

/// The program and the format version of a database, according to the numbers in SQLite's file header.
enum DatabaseFormat: Hashable {
  /// An empty database without tables.
  case new
  /// A database of Cairn with this number of migrations.
  case cairn(format: Int)
  /// A database of a Cairn build that did not store format numbers.
  case unnumbered
  /// A database of another program.
  case foreign

  /// The value of `application_id`: "Crn1" as a big-endian integer.
  static let application = 0x4372_6E31

  /// Reads the format. Writes nothing.
  init(_ db: Database) throws {
    if try Int.fetchOne(db, sql: "PRAGMA application_id") == Self.application {
      self = .cairn(format: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
      return
    }
    let tables = try Set(
      String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"))
    self = tables.isEmpty ? .new : tables.isSuperset(of: ["migrations", "entries", "sessions", "definitions"]) ? .unnumbered : .foreign
  }

  /// Stores the format in the file header, in the transaction of the migration.
  static func write(_ format: Int, _ db: Database) throws {
    try db.execute(sql: "PRAGMA application_id = \(application); PRAGMA user_version = \(format)")
  }
}
