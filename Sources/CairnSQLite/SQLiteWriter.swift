import CairnCore
import CairnRuntime
import CairnJournal
import Foundation
import GRDB
import GRDBSQLite

/// The writer's part of a journal on SQLite.
final class SQLiteWriter: JournalWriter {
  let database: SQLiteDatabase
  private let sessions: SQLiteSessions
  private let answers: SQLiteAnswers
  private let erasing: SQLiteErasing
  let snapshots: Snapshots
  private let log: WriteLog
  let sweeper: Sweeper
  /// The durations for which operations on the log blocked the writer.
  private let times: Lock<Durations>
  /// The list of erasures; `nil` if the journal only reads.
  private let erasures: ErasureList?
  /// The disk space reserved for deletions; `nil` if the journal only reads.
  let reserve: DiskReserve?

  init(
    _ sessions: SQLiteSessions, _ answers: SQLiteAnswers, _ erasing: SQLiteErasing, _ log: WriteLog, _ sweeper: Sweeper,
    _ times: Lock<Durations>, erasures: ErasureList?, reserve: DiskReserve?
  ) {
    database = sessions.database
    self.sessions = sessions
    self.answers = answers
    self.erasing = erasing
    snapshots = erasing.snapshots
    self.log = log
    self.sweeper = sweeper
    self.times = times
    self.erasures = erasures
    self.reserve = reserve
  }

  @discardableResult func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError] {
    var faults: [String: JournalError] = [:]
    if let reserve, reserve.isGivenUp, !batch.sessions.isEmpty, !reserve.make() {
      return try commitDeletions(of: batch, reserve)
    }
    let sealed = batch.sessions.map { SealedWrite($0, database.secrets) }
    do {
      try attempt(batch.definitions, sealed, batch.deletions, batch.checks, &faults)
    } catch {
      if error.isFull, let reserve { return try commitDeletions(of: batch, reserve) }
      // The data of one session caused the error. The sessions are written one by one, so that only this session fails.
      guard error.isOfOneSession, sealed.count + batch.deletions.count > 0 else { throw SQLiteDatabase.journalError(error) }
      for write in sealed where faults[write.id] == nil {
        do {
          try attempt(batch.definitions, [write], [], batch.checks, &faults)
        } catch {
          guard error.isOfOneSession else { throw SQLiteDatabase.journalError(error) }
          faults[write.id] = error.isTooLarge ? .tooLarge(session: write.id) : SQLiteDatabase.journalError(error)
        }
      }
      if !batch.deletions.isEmpty {
        do {
          try attempt([:], [], batch.deletions, batch.checks, &faults)
        } catch {
          throw SQLiteDatabase.journalError(error)
        }
      }
    }
    return faults
  }

  /// Commits only the deletions of a batch, using the disk space reserved for them. Returns the errors by session id, with `.full` for each
  /// session to write. Throws `.full` if the batch has no deletions, or if the reserved space is used up too.
  private func commitDeletions(of batch: JournalBatch, _ reserve: DiskReserve) throws(JournalError) -> [String: JournalError] {
    guard !batch.deletions.isEmpty else { throw .full }
    if !reserve.isGivenUp {
      reserve.giveUp()
      sweeper.report(.reserveGivenUp)
    }
    var faults: [String: JournalError] = [:]
    do {
      try attempt([:], [], batch.deletions, batch.checks, &faults)
    } catch {
      throw SQLiteDatabase.journalError(error)
    }
    for write in batch.sessions { faults[write.record.id] = .full }
    return faults
  }

  func session(_ id: String) throws(JournalError) -> SessionRecord? { try sessions.sessionToWrite(id) }

  func answer(_ key: AnswerKey, of session: String) throws(JournalError) -> KeptAnswer? { try answers.answerToWrite(key, of: session) }

  func keys(of session: String) throws(JournalError) -> [Fingerprint] { try answers.keys(of: session) }

  func forgetAnswers(expiredAt time: Int) throws(JournalError) -> Int? { try answers.forget(expiredAt: time) }

  func claimEffects(until time: Int) throws(JournalError) -> [DueSession] {
    // Only one process uses the database, so all sessions with effects that have a due time are returned, regardless of `time`.
    try database.guarded {
      let unwritten = database.heads.withLock { $0.unwritten }
      return try database.pool.read { db in
        var found = unwritten.compactMap { id, head in head.due.map { DueSession(id: id, due: $0) } }
        let due = try Prepared(db, "SELECT s.id, h.due FROM heads h JOIN sessions s ON s.number = h.session WHERE h.due IS NOT NULL")
        try due.rows { row in
          let id = row.text(0)
          if unwritten[id] == nil { found.append(DueSession(id: id, due: row.integer(1))) }
        }
        return found
      }
    }
  }

  func probe() throws(JournalError) {
    if let reserve, reserve.isGivenUp, !reserve.make() { throw .full }
    try database.guarded {
      try database.pool.write { db in
        try SettingsTable(db).set(.probe, Data(UUID().uuidString.utf8))
      }
    }
  }

  /// Commits one transaction. Adds the sessions that were not written to `faults`, by id. A conflict is detected before any change of the session is written,
  /// so it affects only that session.
  private func attempt(
    _ definitions: [String: String], _ writes: [SealedWrite], _ deletions: [String], _ checks: JournalBatch.Checks?,
    _ faults: inout [String: JournalError]
  ) throws(CommitFailure) {
    var moved: [(id: String, head: Head)] = []
    var beginnings: [String: PastState] = [:]
    for write in writes { if let beginning = write.write.beginning { beginnings[write.id] = beginning } }
    var isForgetting = false
    moved.reserveCapacity(writes.count)
    var conflicts: [String: JournalError] = [:]
    let slice = database.heads.withLock { $0.slice(max(64, 2 * writes.count)) }
    let listed: Int?
    do throws(JournalError) {
      listed =
        deletions.isEmpty && beginnings.isEmpty ? nil : try erasures?.add(deletions, firstRevisions: beginnings.mapValues(\.revision))
    } catch {
      throw CommitFailure(error)
    }
    do {
      try database.pool.committing { db in
        for (hash, text) in definitions {
          try db.cachedStatement(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)").execute(arguments: [hash, text])
        }
        for (id, version) in checks?.versions ?? [:] where try (database.head(of: id, db)?.version ?? .none) != version {
          conflicts[id] = .conflict(session: id)
        }
        // The list of erasures already contains all deletions. If a deletion conflicts, the list is restored, and the commit is attempted again without this
        // deletion.
        if deletions.contains(where: { conflicts[$0] != nil }) { throw ConflictingDeletions() }
        let insert = try Prepared(db, Self.insertEntry)
        let keep = try SQLiteAnswers.insertion(for: writes, db)
        let longest = Snapshots.longest(db)
        for write in writes {
          let head = try database.head(of: write.id, db)
          guard conflicts[write.id] == nil, (head?.revision ?? 0) == write.write.after, try !self.isTaken(write, checks, db) else {
            conflicts[write.id] = .conflict(session: write.id)
            continue
          }
          guard write.write.entries.allSatisfy({ $0.difference.count < longest }) else {
            conflicts[write.id] = .tooLarge(session: write.id)
            continue
          }
          if let head = try self.append(write, to: head, insert, keep, db) { moved.append((write.id, head)) }
        }
        for session in deletions { try self.erasing.addTombstone(session, db) }
        for (index, (id, head)) in moved.enumerated() {
          guard let past = beginnings[id], past.revision > head.beginning?.revision ?? 0 else { continue }
          try self.erasing.forget(id, &moved[index].head, before: past, db)
          isForgetting = true
        }
        if !deletions.isEmpty || isForgetting { try self.database.markDeletion(db) }
        if let slice { try self.database.write(slice, db) }
      }
    } catch is ConflictingDeletions {
      if let listed { erasures?.takeBack(to: listed) }
      faults.merge(conflicts) { $1 }
      return try attempt(definitions, writes, deletions.filter { conflicts[$0] == nil }, checks, &faults)
    } catch {
      if let listed { erasures?.takeBack(to: listed) }
      throw CommitFailure(error)
    }
    database.heads.withLock { heads in
      if let slice { heads.wrote(slice) }
      for (id, head) in moved { heads.move(id, to: head) }
      for id in deletions { heads.forget(id) }
      if isForgetting { heads.noteErasure() }
    }
    faults.merge(conflicts) { $1 }
    database.staged.withLock { staged in
      for write in writes where conflicts[write.id] == nil { if let place = write.write.staged { staged[place] = nil } }
    }
    if !deletions.isEmpty || isForgetting { sweeper.noteDeletion() }
    guard sweeper.committed(pages: log.pages) else { return }
    database.pool.writeWithoutTransaction { db in
      if log.restart(db, measuredBy: times) { sweeper.restarted() }
    }
  }

  /// Whether an unexpired response is already stored under a key that a write uses.
  private func isTaken(_ write: SealedWrite, _ checks: JournalBatch.Checks?, _ db: Database) throws -> Bool {
    guard let checks else { return false }
    return try write.write.answers.contains { try self.answers.answer($0.key, of: write.id, db).map { $0.until > checks.time } ?? false }
  }

  /// Appends a session's entries, and a snapshot when one is due. Returns the new head, or `nil` if the write has neither entries nor a new
  /// beginning.
  private func append(_ sealed: SealedWrite, to head: Head?, _ insert: Prepared, _ keep: Prepared?, _ db: Database) throws -> Head? {
    let write = sealed.write
    let before = try write.staged.map { try EntryChain.taking(database.staged, at: $0, of: sealed.id, db) }
    let number = try head?.number ?? insertSession(write.record, before?.number, db)
    if let keep { try answers.put(write.answers, of: sealed.id, number, keep, db) }
    if write.entries.isEmpty, write.beginning == nil { return nil }
    var chain = before ?? EntryChain(number: number)
    if let head {
      chain = EntryChain(number: number, entry: head.entry == 0 ? nil : head.entry, since: try head.since ?? snapshots.since(head, db))
    }
    try chain.append(write.entries, write.stages, to: snapshots, insert, db)
    let since = chain.since
    var moved = Head(
      number: number, revision: write.record.state.revision, entry: chain.entry ?? 0, hash: write.entries.last?.hash ?? write.record.hash,
      updatedAt: write.record.updatedAt, due: write.entries.last.map(\.due) ?? write.record.state.wakeTime, since: since,
      beginning: head?.beginning)
    if head == nil {
      try insertHead(moved, write.record, db)
    } else if let definition = write.entries.last(where: { $0.definition != nil })?.definition {
      // The definition is written to the head's row in this commit, because lists find sessions by it.
      let change = try Prepared(db, "UPDATE heads SET definition = ?2 WHERE session = ?1")
      change.bind(1, number)
      change.bind(2, definition)
      try change.run()
    }
    if since.isEnough, !write.entries.isEmpty { moved.since = try snapshots.keep(write.record, at: moved, after: since.total, db) }
    try put(sealed.secrets, of: sealed.id, db)
    return moved
  }

  /// Inserts the row of a new session, and returns its number. `staged` is the number under which the session's entries are staged; `nil` to take the next
  /// number.
  private func insertSession(_ record: SessionRecord, _ staged: Int?, _ db: Database) throws -> Int {
    let number = staged ?? database.heads.withLock { $0.newSession() }
    try db.cachedStatement(
      sql: "INSERT INTO sessions (number, id, app, created_at, secret_hash, manual) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [
      number, record.id, record.app, record.createdAt, Data(record.secretHash), record.state.manualTime == nil ? 0 : 1,
    ])
    return number
  }

  /// Inserts the head of a new session. Unlike later heads, this head is written in the same commit, because lists find sessions by the
  /// definition and the label in this row.
  private func insertHead(_ head: Head, _ record: SessionRecord, _ db: Database) throws {
    let insert = try Prepared(
      db,
      """
      INSERT INTO heads (session, revision, entry, hash, updated_at, due, definition, label, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).bound(head)
    insert.bind(7, record.definition)
    insert.bind(8, record.label)
    insert.bind(9, record.createdAt)
    try insert.run()
  }

  // This text is a constant, because every commit needs it.

  static let insertEntry = """
    INSERT INTO entries
      (number, session, previous, revision, hash, at, due, engine, format, definition, label, request, nonce, cause, difference)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private func put(_ secrets: [SealedWrite.Secret], of session: String, _ db: Database) throws {
    for secret in secrets {
      if let box = secret.box {
        try SecretRow(session: session, slot: secret.slot, box: box).put(database.check, db)
      } else {
        try db.cachedStatement(sql: "DELETE FROM secrets WHERE session = ? AND slot = ?").execute(arguments: [session, secret.slot])
      }
    }
  }
}

extension Prepared {
  /// Runs `insertEntry` without copying its long values. SQLite has copied them to its pages when the call returns, and they are bound again before
  /// the next call.
  func run(nonce: String, cause: [UInt8], difference: [UInt8]) throws {
    var nonce = nonce
    try nonce.withUTF8 { nonce in
      try cause.withUnsafeBufferPointer { cause in
        try difference.withUnsafeBufferPointer { bytes in
          bindInPlace(13, text: nonce)
          bindInPlace(14, text: cause)
          bindInPlace(15, blob: bytes)
          try run()
        }
      }
    }
  }
}

/// Thrown in a transaction that would delete a session whose version differs from the version in the batch's checks.
private struct ConflictingDeletions: Error {}

/// The error that made a transaction roll back.
private struct CommitFailure: Error {
  let error: any Error

  init(_ error: any Error) { self.error = error }

  var isTooLarge: Bool { (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG }

  /// Whether the disk has no space for the database or for the list of erasures.
  var isFull: Bool { (error as? DatabaseError)?.resultCode == .SQLITE_FULL || error as? JournalError == .full }

  /// Whether one session's data caused the error, not the database.
  var isOfOneSession: Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(error.resultCode)
  }
}

extension SQLiteDatabase {
  fileprivate static func journalError(_ failure: CommitFailure) -> JournalError { journalError(failure.error) }
}
