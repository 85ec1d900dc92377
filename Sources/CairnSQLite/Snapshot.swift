import CairnCore
import CairnStore
import GRDB

/// A whole state as it is stored.
struct Snapshot {
  /// The entry that led to it.
  var entry: Int
  /// The session's number.
  var session: Int
  var revision: Int
  var format: Int
  /// The hash of the definition that it belongs to.
  var definition: String
  var state: [UInt8]

  /// What a query selects, from `entry` to `check`.
  static let columns = "entry, session, revision, format, definition, state, \"check\""

  /// Reads `columns`; nil: it is not what was written.
  init?(_ row: Prepared, _ check: RowCheck) {
    self.init(
      entry: row.integer(0), session: row.integer(1), revision: row.integer(2), format: row.integer(3), definition: row.text(4),
      state: row.bytes(5))
    guard value(check) == row.integer(6) else { return nil }
  }

  init(entry: Int, session: Int, revision: Int, format: Int, definition: String, state: [UInt8]) {
    self.entry = entry
    self.session = session
    self.revision = revision
    self.format = format
    self.definition = definition
    self.state = state
  }

  /// What its column `check` holds.
  func value(_ check: RowCheck) -> Int {
    check.value(
      "snapshots", .integer(entry), .integer(session), .integer(revision), .integer(format), .text(definition), .blob(state))
  }
}
