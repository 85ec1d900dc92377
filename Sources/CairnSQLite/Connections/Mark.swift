import CairnJournal
import GRDB

/// The name of a row in the table of marks.
enum Mark: String, CaseIterable {
  /// The number of the entry up to which the table of heads is complete.
  case flushed
  /// The entry number that was assigned to the newest deletion (`SQLiteDatabase.markDeletion`).
  case deleted
  /// The number of rows of the table `documents`, so that a missing row is detected.
  case documents

  /// Updates the mark `documents` after a change of the table of the same name. `added` is the number of added rows, or negative if rows
  /// were removed. If the mark is damaged, all rows are counted again.
  func count(adding added: Int, _ check: RowCheck, _ db: Database) throws {
    try set((try? entry(db)).flatMap(\.self).map { $0 + added } ?? Self.rows(db), check, db)
  }

  static func rows(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM documents") ?? 0 }

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
