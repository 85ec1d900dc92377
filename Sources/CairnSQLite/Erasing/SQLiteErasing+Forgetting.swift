import CairnCore
import CairnRuntime
import CairnJournal
import GRDB

// After the commit, the forgotten part of a session's history can no longer be read. Its rows are erased later, in small batches.
extension SQLiteErasing {
  /// Sets the beginning of a session's journal to a state, and queues the entries before it for the sweeper to erase. Called in the
  /// transaction of a commit, after the new entries. `head` is the head after these entries.
  func forget(_ session: String, _ head: inout Head, before past: PastState, _ db: Database) throws {
    let (entry, next) = try history.numbers(of: session, head, at: past.revision, db)
    var since = try head.since ?? snapshots.since(head, db)
    let before = past.revision == head.revision ? since.total : try size(of: head, through: past.revision, since, db)
    // A session that was copied without its forgotten entries has no entry with the revision of its beginning.
    let place = entry ?? database.heads.withLock { $0.newEntry() }
    let size = try snapshots.keep(past.state, of: head.number, past.definition, entry: place, after: before, db)
    let identity = try identity(of: head.number, db)
    let beginning = Beginning(
      session: head.number, revision: past.revision, hash: past.hash, time: past.time, identity: identity.hash(database.hashKey),
      label: identity.label,
      isManual: past.state.manualTime != nil,
      journal: past.revision == head.revision ? before : max(0, before - size))
    try beginning.put(database.check, db)
    if let entry { try leave(entry, of: head.number, db) }
    if let next {
      try Prepared(db, "UPDATE entries SET previous = NULL WHERE number = ?").bound(next).run()
    } else {
      head.entry = 0
      since = Head.Since(entries: 0, bytes: 0, snapshot: size, total: before + size)
    }
    since.forgotten = beginning.journal
    head.since = since
    head.beginning = beginning
    // The head is written to the table now, because the entries from which a start would compute it are about to be erased.
    try Prepared(db, SQLiteDatabase.putHead).bound(head).run()
    try SQLiteAnswers.blankAnswers(of: session, head.number, through: past.revision, database.check, db)
  }

  /// Forgets the history of sessions again. `firstRevisions` contains the first revision to keep of each session, by the hash of the
  /// session's id. If a session has not reached this revision, only its newest state is kept. The history is erased before the function
  /// returns. Returns the number of sessions whose history was forgotten. Only for a database that no service uses.
  func forget(_ firstRevisions: [String: Int]) throws -> Int {
    try database.pool.committing { db in
      var sessions: [(id: String, definition: String)] = []
      try Prepared(db, "SELECT s.id, h.definition FROM sessions s JOIN heads h ON h.session = s.number").rows {
        sessions.append(($0.text(0), $0.text(1)))
      }
      var count = 0
      for (id, definition) in sessions {
        guard let listed = firstRevisions[ErasureList.hash(of: id)], var head = try database.head(of: id, db) else { continue }
        let first = min(listed, head.revision)
        guard first > head.beginning?.revision ?? 0 else { continue }
        let past = try history.state(of: id, head, at: first, newest: definition, db)
        try self.forget(id, &head, before: past, db)
        count += 1
      }
      guard count > 0 else { return 0 }
      try database.markDeletion(db)
      while try Self.erase(db) {}
      return count
    }
  }

  /// Queues a chain of entries for the sweeper to erase: `entry`, which is the newest of them, and all entries before it.
  private func leave(_ entry: Int, of session: Int, _ db: Database) throws {
    let leave = try Prepared(db, "INSERT INTO forgotten (session, entry) VALUES (?, ?)").bound(session)
    leave.bind(2, entry)
    try leave.run()
  }

  /// The size in bytes of a session's journal up to a revision, computed from the last snapshot up to this revision and an estimate for the entries since.
  private func size(of head: Head, through revision: Int, _ since: Head.Since, _ db: Database) throws -> Int {
    let find = try Prepared(
      db, "SELECT revision, journal FROM snapshots WHERE session = ? AND revision <= ? ORDER BY revision DESC LIMIT 1"
    ).bound(head.number)
    find.bind(2, revision)
    let found = try find.row { (revision: $0.count(0), journal: $0.count(1)) } ?? (revision: 0, journal: 0)
    return min(since.total, found.journal + (revision - found.revision) * Snapshots.estimate)
  }

  private func identity(of session: Int, _ db: Database) throws -> SessionIdentity {
    let find = try Prepared(
      db, "SELECT s.id, s.app, h.label, s.created_at, s.secret_hash FROM sessions s JOIN heads h ON h.session = s.number WHERE s.number = ?"
    ).bound(session)
    let found = try find.row {
      SessionIdentity(id: $0.text(0), app: $0.text(1), label: $0.optionalText(2), createdAt: $0.integer(3), secretHash: $0.bytes(4))
    }
    guard let found else { throw JournalError.unreadable("session number \(session) is missing") }
    return found
  }

  /// Erases the next rows of forgotten history, at most `left` rows, and subtracts their number from `left`. Returns `false` if no rows are
  /// left.
  static func eraseForgotten(_ left: inout Int, _ db: Database) throws -> Bool {
    while left > 0 {
      let found = try Prepared(db, "SELECT session, entry FROM forgotten LIMIT 1").row { (session: $0.integer(0), entry: $0.integer(1)) }
      guard let found else { return false }
      var entry = found.entry == 0 ? nil : found.entry
      left -= try eraseChain(&entry, of: found.session, atMost: left, "AND revision <= \(firstRevision)", db)
      if entry == nil, try eraseSnapshots(of: found.session, &left, "AND revision < \(firstRevision)", db) {
        let done = try Prepared(db, "DELETE FROM forgotten WHERE session = ? AND entry = ?").bound(found.session)
        done.bind(2, found.entry)
        try done.run()
      } else {
        let rest = try Prepared(db, "UPDATE OR REPLACE forgotten SET entry = ?3 WHERE session = ?1 AND entry = ?2").bound(found.session)
        rest.bind(2, found.entry)
        rest.bind(3, entry ?? 0)
        try rest.run()
      }
    }
    return true
  }

  /// The first revision of the session in parameter 1. It is 0 if the session has been deleted, because the session's tombstone causes the
  /// erasure of the remaining rows.
  private static let firstRevision = "coalesce((SELECT b.revision FROM beginnings b WHERE b.session = ?1), 0)"
}
