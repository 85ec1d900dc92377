import CairnStore
import GRDB

/// A row of the table of marks.
enum Mark: String, CaseIterable {
  /// The heads are those of all entries up to this one.
  case flushed
  /// The number that the newest deletion took.
  case deleted

  /// nil: it is not there yet. Throws `.unreadable` if it is not what was written.
  func entry(_ db: Database) throws -> Int? {
    let found = try Prepared(db, "SELECT entry, \"check\" FROM marks WHERE name = ?").bound(rawValue).row { ($0.integer(0), $0.integer(1)) }
    guard let (entry, check) = found else { return nil }
    guard value(entry, RowCheck(try SettingsTable(db).hashKey())) == check else {
      throw JournalError.unreadable("the mark \(rawValue) is not what was written")
    }
    return entry
  }

  func set(_ entry: Int, _ check: RowCheck, _ db: Database) throws {
    let put = try Prepared(db, "INSERT OR REPLACE INTO marks (name, entry, \"check\") VALUES (?, ?, ?)").bound(rawValue)
    put.bind(2, entry)
    put.bind(3, value(entry, check))
    try put.run()
  }

  /// The value of its column `check`.
  func value(_ entry: Int, _ check: RowCheck) -> Int { check.value("marks", .text(rawValue), .integer(entry)) }
}
