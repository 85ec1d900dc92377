import CairnJournal
import Foundation
import GRDB

/// A row of the table of secrets.
struct SecretRow {
  var session: String
  var slot: Int
  var box: Data

  /// Inserts the row, or replaces the row with the same session and slot.
  func put(_ check: RowCheck, _ db: Database) throws {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO secrets (session, slot, box, \"check\") VALUES (?, ?, ?, ?)")
      .execute(arguments: [session, slot, box, value(check)])
  }

  /// The value of the row's column `check`.
  func value(_ check: RowCheck) -> Int {
    check.value("secrets", .text(session), .integer(slot), .blob(Array(box)))
  }
}
