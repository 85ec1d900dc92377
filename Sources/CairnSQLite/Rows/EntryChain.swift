import CairnCore
import CairnJournal
import CairnRuntime
import GRDB

/// The rows of a session's entries, to which more entries can be appended. The rows of a session that does not exist yet have a tombstone,
/// so that the next start erases them if this process is killed. The sweeper of this process does not erase them.
struct EntryChain: Sendable {
  /// The number of the session.
  let number: Int
  /// The newest row; `nil` if the chain has no rows.
  var entry: Int?
  var since = Head.Since(entries: 0, bytes: 0, snapshot: 0)

  /// Appends entries, and adds the states of `stages` to the snapshots. `insert` is the prepared `SQLiteWriter.insertEntry`.
  mutating func append(
    _ entries: [JournalEntry], _ stages: [SessionRecord], to snapshots: Snapshots, _ insert: Prepared, _ db: Database
  ) throws {
    var stages = stages[...]
    for entry in entries {
      let row = snapshots.database.heads.withLock { $0.newEntry() }
      insert.bind(1, row)
      insert.bind(2, number)
      insert.bind(3, self.entry)
      insert.bind(4, entry.entry.revision)
      insert.bind(5, entry.hash.column)
      insert.bind(6, entry.entry.stamp.time)
      insert.bind(7, entry.due)
      insert.bind(8, entry.engine)
      insert.bind(9, entry.format)
      insert.bind(10, entry.definition)
      insert.bind(11, entry.label)
      insert.bind(12, entry.entry.request)
      try insert.run(nonce: entry.entry.stamp.nonce, cause: entry.cause, difference: entry.difference)
      self.entry = row
      since.entries += 1
      since.bytes += entry.cause.count + entry.difference.count
      since.total += entry.cause.count + entry.difference.count
      if since.snapshot == 0 { since.snapshot = since.bytes }
      if let stage = stages.first, stage.state.revision == entry.entry.revision {
        stages.removeFirst()
        let head = Head(
          number: number, revision: entry.entry.revision, entry: row, hash: entry.hash, updatedAt: stage.updatedAt, due: entry.due)
        since = try snapshots.keep(stage, at: head, after: since.total, db)
      }
    }
  }

  /// Returns the staged rows at a place, for the commit that creates the session, and removes their tombstone. Throws if no rows are staged there.
  static func taking(_ staged: Lock<[Int: EntryChain]>, at place: Int, of session: String, _ db: Database) throws -> EntryChain {
    guard let found = staged.withLock({ $0[place] }) else { throw JournalError.io("entries of session \(session) are no longer staged") }
    try Prepared(db, "DELETE FROM tombstones WHERE session = ?").bound(found.number).run()
    return found
  }

  /// Writes the tombstone of staged rows.
  func putTombstone(_ db: Database) throws {
    let tombstone = try Prepared(db, "INSERT OR REPLACE INTO tombstones (session, entry) VALUES (?, ?)")
    tombstone.bind(1, number)
    tombstone.bind(2, entry)
    try tombstone.run()
  }
}
