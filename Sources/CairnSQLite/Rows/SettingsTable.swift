import CairnCore
import CairnJournal
import Foundation
import GRDB

/// The table of settings: named values with check values. It has few rows.
struct SettingsTable {
  /// The names of the values.
  enum Name: String, CaseIterable {
    /// The database's id in hexadecimal digits.
    case id
    /// An encrypted constant. A key that decrypts it is the key of the database.
    case key
    /// The name of the key with which all secrets are encrypted.
    case keyID
    /// The encrypted derivation key.
    case derivation
    /// The key for all hashes and check values. It is derived from the derivation key but is not secret, so that checks need no other key.
    case hashKey
    /// A value that is written to test whether the database can be written.
    case probe
  }

  private let db: Database

  init(_ db: Database) { self.db = db }

  func isEmpty() throws -> Bool { try Int.fetchOne(db, sql: "SELECT count(*) FROM settings") == 0 }

  /// The value of a setting; `nil` if it does not exist. Throws `.unreadable` if its check value is wrong.
  func value(_ name: Name) throws -> Data? {
    guard let row = try Row.fetchOne(db, sql: "SELECT value, \"check\" FROM settings WHERE name = ?", arguments: [name.rawValue]) else {
      return nil
    }
    let (value, check): (Data, Int) = (row["value"], row["check"])
    let key = name == .hashKey ? SipHash.Key(value) : try hashKey()
    guard RowCheck(key).value("settings", .text(name.rawValue), .blob(Array(value))) == check else {
      throw JournalError.unreadable("the setting \(name.rawValue) does not match its stored hash")
    }
    return value
  }

  /// Inserts or replaces a value.
  func set(_ name: Name, _ value: Data) throws {
    let key = name == .hashKey ? SipHash.Key(value) : try hashKey()
    try db.execute(
      sql: """
        INSERT INTO settings (name, value, "check") VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value, "check" = excluded."check"
        """,
      arguments: [name.rawValue, value, RowCheck(key).value("settings", .text(name.rawValue), .blob(Array(value)))])
  }

  /// The key for all hashes and check values.
  func hashKey() throws -> SipHash.Key {
    guard let bytes = try value(.hashKey), bytes.count == 16 else { throw JournalError.unreadable("the key for its hashes is missing") }
    return SipHash.Key(bytes)
  }
}
