import CairnCore
import CairnStore
import Foundation
import GRDB

/// The table of single values: a value under its name, with a check value. Its rows are few, and read at a start.
struct SettingsTable {
  /// The names of the values.
  enum Name: String, CaseIterable {
    /// The database's own id, in hexadecimal.
    case id
    /// A box that only the right keys open.
    case key
    /// The name of the key that everything is sealed with.
    case keyID
    /// A box with the derivation key.
    case derivation
    /// The key of all hashes and check values. It is derived from the derivation key and no secret, so that a check needs no other key.
    case hashKey
    /// Written to see whether the database can be written.
    case probe
  }

  private let db: Database

  init(_ db: Database) { self.db = db }

  /// Whether it has no values yet.
  func isEmpty() throws -> Bool { try Int.fetchOne(db, sql: "SELECT count(*) FROM settings") == 0 }

  /// nil: it is not there. Throws `.unreadable` if it is not what was written.
  func value(_ name: Name) throws -> Data? {
    guard let row = try Row.fetchOne(db, sql: "SELECT value, \"check\" FROM settings WHERE name = ?", arguments: [name.rawValue]) else {
      return nil
    }
    let (value, check): (Data, Int) = (row["value"], row["check"])
    let key = name == .hashKey ? SipHash.Key(value) : try hashKey()
    guard RowCheck(key).value("settings", .text(name.rawValue), .blob(Array(value))) == check else {
      throw JournalError.unreadable("the setting \(name.rawValue) is not what was written")
    }
    return value
  }

  /// Writes a value, or another one.
  func set(_ name: Name, _ value: Data) throws {
    let key = name == .hashKey ? SipHash.Key(value) : try hashKey()
    try db.execute(
      sql: """
        INSERT INTO settings (name, value, "check") VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value, "check" = excluded."check"
        """,
      arguments: [name.rawValue, value, RowCheck(key).value("settings", .text(name.rawValue), .blob(Array(value)))])
  }

  /// The key of all hashes and check values.
  func hashKey() throws -> SipHash.Key {
    guard let bytes = try value(.hashKey), bytes.count == 16 else { throw JournalError.unreadable("the key of its hashes is not there") }
    return SipHash.Key(bytes)
  }
}
