import CairnJournal
import GRDB

/// The name of a row in the table of marks.
enum Mark: String, CaseIterable {
  /// The number of the entry up to which the table of heads is complete.
  case flushed
  /// The number that was used for the newest deletion.
  case deleted
  /// The numbers of rows of the tables `app_migrations` and `rollouts`, so that a missing row is detected.
  case migrations, rollouts

  /// The tables whose rows are counted.
  static let counted: [(mark: Mark, table: String)] = [(.migrations, "app_migrations"), (.rollouts, "rollouts")]

  /// Stores the number of rows of a table.
  func count(_ table: String, _ check: RowCheck, _ db: Database) throws {
    try set(try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0, check, db)
  }

  /// The value of the mark; `nil` if it has not been set. Throws `.unreadable` if its check value is wrong.
  func entry(_ db: Database) throws -> Int? {
    let found = try Prepared(db, "SELECT entry, \"check\" FROM marks WHERE name = ?").bound(rawValue).row { ($0.integer(0), $0.integer(1)) }
    guard let (entry, check) = found else { return nil }
    guard value(entry, RowCheck(try SettingsTable(db).hashKey())) == check else {
      throw JournalError.unreadable("the mark \(rawValue) does not match its stored hash")
    }
    return entry
  }

  func set(_ entry: Int, _ check: RowCheck, _ db: Database) throws {
    let put = try Prepared(db, "INSERT OR REPLACE INTO marks (name, entry, \"check\") VALUES (?, ?, ?)").bound(rawValue)
    put.bind(2, entry)
    put.bind(3, value(entry, check))
    try put.run()
  }

  /// The value of the row's column `check`.
  func value(_ entry: Int, _ check: RowCheck) -> Int { check.value("marks", .text(rawValue), .integer(entry)) }
}
