import CairnCore
import CairnJournal
import GRDB

/// A complete state as stored in the table of snapshots.
struct Snapshot {
  /// The number of the entry that produced the state.
  var entry: Int
  /// The number of the session.
  var session: Int
  var revision: Int
  var format: Int
  /// The hash of the session's definition.
  var definition: String
  /// The size in bytes of the session's entries and snapshots up to and including this one.
  var journal: Int
  var state: [UInt8]

  /// The columns of a query, from `entry` to `check`.
  static let columns = "entry, session, revision, format, definition, journal, state, \"check\""

  /// Reads a row of `columns`. Returns `nil` if the check value is wrong.
  init?(_ row: Prepared, _ check: RowCheck) {
    self.init(
      entry: row.integer(0), session: row.integer(1), revision: row.integer(2), format: row.integer(3), definition: row.text(4),
      journal: row.integer(5), state: row.bytes(6))
    guard value(check) == row.integer(7) else { return nil }
  }

  init(entry: Int, session: Int, revision: Int, format: Int, definition: String, journal: Int, state: [UInt8]) {
    self.entry = entry
    self.session = session
    self.revision = revision
    self.format = format
    self.definition = definition
    self.journal = journal
    self.state = state
  }

  /// The value of the row's column `check`.
  func value(_ check: RowCheck) -> Int {
    check.value(
      "snapshots", .integer(entry), .integer(session), .integer(revision), .integer(format), .text(definition),
      .integer(journal), .blob(state))
  }
}
