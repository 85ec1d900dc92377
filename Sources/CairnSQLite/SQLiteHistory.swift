import CairnCore
import CairnRuntime
import CairnJournal
import GRDB

/// The entries of a journal on SQLite. The entries of a session form a chain from the newest to the first. Each snapshot contains a state and the number of
/// its entry, at which a read can enter the chain. So a read of a state visits only the entries between two snapshots.
struct SQLiteHistory: EntryJournal {
  let database: SQLiteDatabase

  /// The maximum number of rows that one read may visit. A read of an intact session visits fewer rows, because snapshots are frequent and callers limit the
  /// entries that they read.
  static let budget = 50_000

  /// Returns the state at a revision, computed from the nearest earlier snapshot and the differences since. If a snapshot cannot be read,
  /// an older snapshot is used. `newestDefinition` is the session's current definition, which is used if neither the snapshot nor an entry
  /// after it names a definition.
  func state(
    of id: String, _ head: Head, at revision: Int, newest newestDefinition: String, over start: State = StateFormat.empty, _ db: Database
  ) throws -> PastState {
    if let first = head.beginning?.revision, revision < first { throw JournalError.forgotten(first: first) }
    var bound = revision
    var budget = Self.budget
    while true {
      let base = try base(of: head, at: bound, db)
      var differences: [[UInt8]] = []
      // The entry of the beginning is forgotten, so its time and hash are taken from the row of the beginning.
      var newest = head.beginning.flatMap { $0.revision == revision ? (time: $0.time, hash: $0.hash) : nil }
      var first = base.map { $0.revision - 1 } ?? 0
      if let beginning = head.beginning {
        guard base != nil else {
          throw JournalError.unreadable(
            "session \(id): the snapshot at the beginning of its history is missing or does not match its stored hash")
        }
        first = max(first, beginning.revision)
      }
      var definition: String?
      // The walk includes the entry of the snapshot, whose time may be needed.
      try walk(
        id, head, after: first, through: revision, Self.differenceColumns, &budget, db
      ) { row, entry in
        newest = newest ?? (row.integer(3), UInt64(column: row.integer(4)))
        guard entry > base?.revision ?? 0 else { return }
        differences.append(row.bytes(5))
        definition = definition ?? row.optionalText(6)
      }
      guard let newest else {
        throw JournalError.unreadable("session \(id) has no entry \(revision)")
      }
      do throws(UnreadableFormat) {
        var state = start
        if let base { state = try StateFormat.state(base.state, version: base.format, over: start) }
        for difference in differences.reversed() { try StateFormat.apply(difference, to: &state) }
        guard state.revision == revision else {
          throw UnreadableFormat(reason: "its differences lead to revision \(state.revision)")
        }
        return PastState(state, definition: definition ?? base?.definition ?? newestDefinition, time: newest.time, hash: newest.hash)
      } catch {
        guard let base else { throw JournalError.unreadable("session \(id): \(error.reason)") }
        bound = base.revision - 1
      }
    }
  }

  func past(of id: String, at revision: Int) throws(JournalError) -> PastState? {
    try database.guarded {
      try database.read { db in
        guard let head = try database.headOfEntries(of: id, db) else { return nil }
        let definition = try Prepared(db, "SELECT definition FROM heads WHERE session = ?").bound(head.number).row { $0.text(0) }
        return try self.state(of: id, head, at: revision, newest: definition ?? "", db)
      }
    }
  }

  func beginning(of id: String) throws(JournalError) -> JournalBeginning? {
    try database.guarded {
      try database.read { db in try database.head(of: id, db)?.beginning.map { JournalBeginning($0.revision, identity: $0.identity) } }
    }
  }

  func entries(of session: String, after revision: Int, limit: Int) throws(JournalError) -> [JournalEntry] {
    try database.guarded {
      try database.read { db in
        guard let head = try database.headOfEntries(of: session, db) else { return [] }
        if let first = head.beginning?.revision, revision < first { throw JournalError.forgotten(first: first) }
        guard revision < head.revision, limit > 0 else { return [] }
        let last = limit < head.revision - max(0, revision) ? max(0, revision) + limit : head.revision
        return try self.chain(of: session, head, after: revision, through: last, db)
      }
    }
  }

  func snapshots(of session: String, after revision: Int, through last: Int) throws(JournalError) -> [Int: State] {
    try database.guarded {
      try database.pool.read { db in
        guard let head = try database.headOfEntries(of: session, db) else { return [:] }
        let find = try Prepared(db, "SELECT \(Snapshot.columns) FROM snapshots WHERE session = ? AND revision > ? AND revision <= ?")
        find.bind(1, head.number)
        find.bind(2, max(revision, (head.beginning?.revision ?? 0) - 1))
        find.bind(3, last)
        var states: [Int: State] = [:]
        try find.rows { row in
          let revision = row.integer(2)
          guard let snapshot = Snapshot(row, database.check) else {
            throw JournalError.unreadable("the snapshot at entry \(revision) does not match its stored hash")
          }
          do {
            states[revision] = try StateFormat.state(snapshot.state, version: snapshot.format)
          } catch {
            throw JournalError.unreadable("the snapshot at entry \(revision): \((error as? UnreadableFormat)?.reason ?? "")")
          }
        }
        return states
      }
    }
  }

  /// The entries with revisions from `first` + 1 to `last`, oldest first.
  func chain(of id: String, _ head: Head, after first: Int, through last: Int, _ db: Database)
    throws -> [JournalEntry]
  {
    var found: [JournalEntry] = []
    var budget = Self.budget
    try walk(id, head, after: first, through: last, Self.entryColumns, &budget, db) { row, _ in
      found.append(try Self.entry(row, id))
    }
    return found.reversed()
  }

  /// The numbers of the entry of a revision and of the entry after it. `entry` is `nil` if the session was copied without this entry;
  /// `next` is `nil` at the newest revision. Both are `nil` if the newest entry is forgotten.
  func numbers(of id: String, _ head: Head, at revision: Int, _ db: Database) throws -> (entry: Int?, next: Int?) {
    if head.entry == 0 { return (nil, nil) }
    if revision == head.revision { return (head.entry, nil) }
    var found: (entry: Int?, next: Int?)
    var budget = Self.budget
    try walk(
      id, head, after: revision, through: revision + 1, "SELECT previous, revision, session, number FROM entries WHERE number = ?", &budget,
      db
    ) { row, _ in found = (row.optionalInteger(0), row.integer(3)) }
    return found
  }

  /// Visits the rows of entries backwards from revision `last` to `first` + 1. The columns must begin with `previous`, `revision` and `session`. Reduces
  /// `budget` by the number of visited rows. Throws `.unreadable` if the entries do not form an unbroken chain of this session, or if the budget is used up.
  private func walk(
    _ id: String, _ head: Head, after first: Int, through last: Int, _ columns: String, _ budget: inout Int, _ db: Database,
    _ visit: (Prepared, Int) throws -> Void
  ) throws {
    guard last > first else { return }
    var next: (number: Int, revision: Int)? = try entry(of: head, atOrAfter: last, db)
    let statement = try Prepared(db, columns)
    let before = budget
    defer { database.rowsRead.withLock { $0 += before - budget } }
    while let (number, revision) = next {
      budget -= 1
      guard budget >= 0 else {
        throw JournalError.unreadable("session \(id): two consecutive snapshots have too many entries between them")
      }
      let found = try statement.bound(number).row { row -> (number: Int, revision: Int)? in
        guard row.integer(1) == revision, row.integer(2) == head.number else {
          throw JournalError.unreadable("session \(id): row \(number) of the table entries does not contain its entry \(revision)")
        }
        if revision <= last { try visit(row, revision) }
        guard revision > first + 1 else { return nil }
        guard let previous = row.optionalInteger(0), previous < number else {
          throw JournalError.unreadable("session \(id): entry \(revision) does not refer to the previous one")
        }
        return (previous, revision - 1)
      }
      guard let found else { throw JournalError.unreadable("session \(id): entry \(revision) is missing") }
      next = found
    }
  }

  private static let differenceColumns =
    "SELECT previous, revision, session, at, hash, difference, definition FROM entries WHERE number = ?"
  private static let entryColumns = """
    SELECT previous, revision, session, at, hash, difference, due, engine, format, definition, label, request, nonce, cause
    FROM entries WHERE number = ?
    """

  private static func entry(_ row: Prepared, _ id: String) throws -> JournalEntry {
    let revision = row.integer(1)
    do {
      let bytes = row.bytes(13)
      let cause = try CauseFormat.read(bytes, version: row.integer(8))
      return JournalEntry(
        try cause.entry(revision: revision, time: row.integer(3), nonce: row.text(12), request: row.optionalText(11)),
        engine: row.integer(7), format: row.integer(8), cause: bytes, difference: row.bytes(5), due: row.optionalInteger(6),
        definition: row.optionalText(9), label: row.optionalText(10), hash: UInt64(column: row.integer(4)))
    } catch {
      throw JournalError.unreadable(
        "entry \(revision) of session \(id) has a form that this version cannot read: \(error.reason)"
      )
    }
  }

  /// The newest intact snapshot at or before a revision; `nil` if no such snapshot exists.
  private func base(of head: Head, at revision: Int, _ db: Database) throws -> Snapshot? {
    guard revision >= Head.Since.fewest || head.beginning != nil else { return nil }
    let before = try Prepared(
      db, "SELECT \(Snapshot.columns) FROM snapshots WHERE session = ? AND revision BETWEEN ? AND ? ORDER BY revision DESC")
    before.bind(1, head.number)
    before.bind(2, head.beginning?.revision ?? 0)
    before.bind(3, revision)
    var found: Snapshot?
    try before.visit { row in
      database.rowsRead.withLock { $0 += 1 }
      // A snapshot with a wrong check value is skipped.
      found = Snapshot(row, database.check)
      return found == nil
    }
    return found
  }

  /// The entry at which a read begins to follow the chain: the entry of the first snapshot at or after a revision, otherwise the newest
  /// entry.
  private func entry(of head: Head, atOrAfter revision: Int, _ db: Database) throws -> (number: Int, revision: Int) {
    let newest = (number: head.entry, revision: head.revision)
    guard revision < head.revision else { return newest }
    let first = try Prepared(
      db,
      "SELECT entry, revision FROM snapshots WHERE session = ? AND revision BETWEEN ? AND ? ORDER BY revision LIMIT 1")
    first.bind(1, head.number)
    first.bind(2, revision)
    first.bind(3, head.revision)
    database.rowsRead.withLock { $0 += 1 }
    return try first.row { ($0.integer(0), $0.integer(1)) } ?? newest
  }
}
