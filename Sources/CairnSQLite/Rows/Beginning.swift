import CairnCore
import CairnJournal
import GRDB

/// A row of the table of beginnings: the first state of a session whose earlier entries were forgotten.
struct Beginning: Sendable {
  /// The number of the session.
  var session: Int
  var revision: Int
  /// The hash and the time of the forgotten entry that produced the state.
  var hash: UInt64
  var time: Int
  /// The hash of the session's unchanging part.
  var identity: UInt64
  /// The session's label, and whether its clock is manual.
  var label: String?
  var isManual: Bool
  /// The number of bytes of forgotten entries and snapshots that `Snapshot.journal` still includes.
  var journal: Int

  /// The columns of a query, from `session` to `check`.
  static let columns = "b.session, b.revision, b.hash, b.at, b.origin, b.label, b.manual, b.journal, b.\"check\""

  init(session: Int, revision: Int, hash: UInt64, time: Int, identity: UInt64, label: String?, isManual: Bool, journal: Int) {
    self.session = session
    self.revision = revision
    self.hash = hash
    self.time = time
    self.identity = identity
    self.label = label
    self.isManual = isManual
    self.journal = journal
  }

  /// Reads the columns, beginning with column `first`. Returns `nil` if they are NULL. Throws `.unreadable` if the check value is wrong.
  init?(_ row: Prepared, from first: Int32, _ check: RowCheck) throws {
    guard !row.isNull(first) else { return nil }
    self.init(
      session: row.integer(first), revision: row.integer(first + 1), hash: UInt64(column: row.integer(first + 2)),
      time: row.integer(first + 3), identity: UInt64(column: row.integer(first + 4)), label: row.optionalText(first + 5),
      isManual: row.integer(first + 6) != 0, journal: row.integer(first + 7))
    guard value(check) == row.integer(first + 8) else {
      throw JournalError.unreadable("the beginning of session number \(session) does not match its stored hash")
    }
  }

  /// Inserts the row, or replaces an earlier row of the session.
  func put(_ check: RowCheck, _ db: Database) throws {
    let put = try Prepared(
      db,
      """
      INSERT OR REPLACE INTO beginnings (session, revision, hash, at, origin, label, manual, journal, "check")
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    put.bind(1, session)
    put.bind(2, revision)
    put.bind(3, hash.column)
    put.bind(4, time)
    put.bind(5, identity.column)
    put.bind(6, label)
    put.bind(7, isManual ? 1 : 0)
    put.bind(8, journal)
    put.bind(9, value(check))
    try put.run()
  }

  /// The value of the row's column `check`.
  func value(_ check: RowCheck) -> Int {
    check.value(
      "beginnings", .integer(session), .integer(revision), .integer(hash.column), .integer(time), .integer(identity.column),
      .text(label), .integer(isManual ? 1 : 0), .integer(journal))
  }
}
