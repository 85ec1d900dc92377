package import CairnCore
import CairnRuntime
package import CairnStore
import GRDB

// A session's entries are a chain, newest first. Snapshots stand beside it every so many entries: a way into its middle, and states to
// begin from; so nothing is read but what lies between two of them.
extension SQLiteJournal {
  /// The state at a revision, and the time of its entry: the nearest snapshot before it and the differences since. One that cannot be
  /// read is passed over for an older one.
  func state(
    of id: String, _ head: Head, at revision: Int, over start: State = StateFormat.empty, _ db: Database
  ) throws -> (state: State, time: Int) {
    var bound = revision
    while true {
      let base = try base(of: head, at: bound, db)
      var differences: [[UInt8]?] = []
      var time: Int?
      // The snapshot's own entry too, for its time.
      try walk(
        head, after: base.map { $0.revision - 1 } ?? 0, through: revision, Self.differenceColumns,
        db
      ) { row, entry in
        time = time ?? row.integer(2)
        if entry > base?.revision ?? 0 { differences.append(row.isNull(3) ? nil : row.bytes(3)) }
      }
      guard let time else {
        throw JournalError.unreadable("session \(id) has no entry \(revision)")
      }
      do throws(UnreadableFormat) {
        var state = start
        if let base { state = try StateFormat.state(base.bytes, version: base.format, over: start) }
        for difference in differences.reversed() {
          guard let difference else { throw UnreadableFormat(reason: "no difference is kept") }
          try StateFormat.apply(difference, to: &state)
        }
        guard state.revision == revision else {
          throw UnreadableFormat(reason: "it leads to revision \(state.revision)")
        }
        return (state, time)
      } catch {
        guard let base else { throw JournalError.unreadable("session \(id): \(error.reason)") }
        bound = base.revision - 1
      }
    }
  }

  package func snapshot(of session: String, at revision: Int) throws(JournalError) -> State? {
    try guarded {
      try pool.read { db in
        guard let head = try self.head(of: session, db) else { return nil }
        let find = try Prepared(db, "SELECT format, state FROM snapshots WHERE session = ? AND revision = ?")
        find.bind(1, head.number)
        find.bind(2, revision)
        guard let (format, bytes) = try find.row({ ($0.integer(0), $0.bytes(1)) }) else { return nil }
        do {
          return try StateFormat.state(bytes, version: format)
        } catch {
          throw JournalError.unreadable("the state that is kept at entry \(revision): \((error as? UnreadableFormat)?.reason ?? "")")
        }
      }
    }
  }

  /// Entries from the first above a revision to another one, oldest first.
  func chain(of id: String, _ head: Head, after first: Int, through last: Int, _ db: Database)
    throws -> [JournalEntry]
  {
    var found: [JournalEntry] = []
    try walk(head, after: first, through: last, Self.entryColumns, db) { row, _ in
      found.append(try Self.entry(row, id))
    }
    return found.reversed()
  }

  /// Visits the rows of entries from one revision back to the first above another one. Each begins with `previous` and `revision`.
  private func walk(
    _ head: Head, after first: Int, through last: Int, _ columns: String, _ db: Database,
    _ visit: (Prepared, Int) throws -> Void
  ) throws {
    guard last > first else { return }
    var next: Int? = try entry(of: head, atOrAfter: last, db)
    let statement = try Prepared(db, columns)
    var read = 0
    defer { rowsRead.withLock { $0 += read } }
    while let number = next {
      read += 1
      next =
        try statement.bound(number).row { row -> Int? in
          let revision = row.integer(1)
          if revision > first, revision <= last { try visit(row, revision) }
          return revision > first + 1 ? row.optionalInteger(0) : nil
        } ?? nil
    }
  }

  private static let differenceColumns =
    "SELECT previous, revision, at, difference FROM entries WHERE number = ?"
  private static let entryColumns =
    "SELECT previous, revision, at, due, engine, format, nonce, cause, difference FROM entries WHERE number = ?"

  private static func entry(_ row: Prepared, _ id: String) throws -> JournalEntry {
    let revision = row.integer(1)
    do {
      let (cause, author) = try CauseFormat.read(row.bytes(7), version: row.integer(5))
      return JournalEntry(
        Entry(
          revision: revision, stamp: Stamp(time: row.integer(2), nonce: row.text(6)), cause: cause, author: author),
        engine: row.integer(4),
        difference: row.isNull(8) ? nil : row.bytes(8), due: row.optionalInteger(3))
    } catch {
      throw JournalError.unreadable(
        "entry \(revision) of session \(id) is not in a form that this version knows: \(error.reason)"
      )
    }
  }

  /// The newest snapshot that is not beyond a revision.
  private func base(of head: Head, at revision: Int, _ db: Database) throws -> (
    revision: Int, format: Int, bytes: [UInt8]
  )? {
    let newest = try Prepared(
      db,
      "SELECT revision, format, state FROM snapshots WHERE session = ? AND revision <= ? ORDER BY revision DESC LIMIT 1"
    )
    newest.bind(1, head.number)
    newest.bind(2, revision)
    rowsRead.withLock { $0 += 1 }
    return try newest.row { ($0.integer(0), $0.integer(1), $0.bytes(2)) }
  }

  /// Where to enter the chain: the entry of the first snapshot that is not before a revision, else the newest.
  private func entry(of head: Head, atOrAfter revision: Int, _ db: Database) throws -> Int {
    guard revision < head.revision else { return head.entry }
    let first = try Prepared(
      db,
      "SELECT entry FROM snapshots WHERE session = ? AND revision >= ? ORDER BY revision LIMIT 1")
    first.bind(1, head.number)
    first.bind(2, revision)
    rowsRead.withLock { $0 += 1 }
    return try first.row { $0.integer(0) } ?? head.entry
  }
}
