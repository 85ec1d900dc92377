import CairnCore
import CairnRuntime
package import CairnStore
import Foundation
import GRDB
import GRDBSQLite

extension SQLiteJournal {
  @discardableResult package func commit(_ batch: JournalBatch) throws(JournalError) -> [String: JournalError] {
    var faults: [String: JournalError] = [:]
    if let reserve, reserve.isGivenUp, !batch.sessions.isEmpty, !reserve.make() {
      return try commitDeletions(of: batch, reserve)
    }
    let sealed = batch.sessions.map { SealedWrite($0, secrets) }
    do {
      try attempt(batch.definitions, sealed, batch.deletions, batch.checks, &faults)
    } catch {
      if error.isFull, let reserve { return try commitDeletions(of: batch, reserve) }
      // The error was caused by one session's data. The sessions are written one by one, so that only this one fails.
      guard error.isOfOneSession, sealed.count + batch.deletions.count > 0 else { throw Self.journalError(error) }
      for write in sealed where faults[write.id] == nil {
        do {
          try attempt(batch.definitions, [write], [], batch.checks, &faults)
        } catch {
          guard error.isOfOneSession else { throw Self.journalError(error) }
          faults[write.id] = error.isTooLarge ? .tooLarge(session: write.id) : Self.journalError(error)
        }
      }
      if !batch.deletions.isEmpty {
        do {
          try attempt([:], [], batch.deletions, batch.checks, &faults)
        } catch {
          throw Self.journalError(error)
        }
      }
    }
    return faults
  }

  /// Commits only the deletions of a batch, using the disk space reserved for them. Throws `.full` if there are no deletions, or if the reserved
  /// space is used up too.
  private func commitDeletions(of batch: JournalBatch, _ reserve: DiskReserve) throws(JournalError) -> [String: JournalError] {
    guard !batch.deletions.isEmpty else { throw .full }
    if !reserve.isGivenUp {
      reserve.giveUp()
      sweeper.tell(.reserveGivenUp)
    }
    var faults: [String: JournalError] = [:]
    do {
      try attempt([:], [], batch.deletions, batch.checks, &faults)
    } catch {
      throw Self.journalError(error)
    }
    for write in batch.sessions { faults[write.record.id] = .full }
    return faults
  }

  package func probe() throws(JournalError) {
    if let reserve, reserve.isGivenUp, !reserve.make() { throw .full }
    try guarded {
      try pool.write { db in
        try SettingsTable(db).set(.probe, Data(UUID().uuidString.utf8))
      }
    }
  }

  /// Commits one transaction. Conflicts are found before anything of the session is written, so a conflict only affects that session.
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
    let slice = heads.withLock { $0.slice(max(64, 2 * writes.count)) }
    let listed: Int?
    do throws(JournalError) {
      listed =
        deletions.isEmpty && beginnings.isEmpty ? nil : try erasures?.add(deletions, firstRevisions: beginnings.mapValues(\.revision))
    } catch {
      throw CommitFailure(error)
    }
    do {
      try pool.committing { db in
        for (hash, text) in definitions {
          try db.cachedStatement(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)").execute(arguments: [hash, text])
        }
        for (id, version) in checks?.versions ?? [:] where try (self.head(of: id, db)?.version ?? .none) != version {
          conflicts[id] = .conflict(session: id)
        }
        // The list of erasures already contains the deletions, so a deletion that conflicts needs another attempt without it.
        if deletions.contains(where: { conflicts[$0] != nil }) { throw ConflictingDeletions() }
        let insert = try Prepared(db, Self.insertEntry)
        let keep = try Self.answerInsertion(for: writes, db)
        let longest = db.longestValue
        for write in writes {
          let head = try self.head(of: write.id, db)
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
        for session in deletions { try self.addTombstone(session, db) }
        for (index, (id, head)) in moved.enumerated() {
          guard let past = beginnings[id], past.revision > head.beginning?.revision ?? 0 else { continue }
          try self.forget(id, &moved[index].head, before: past, db)
          isForgetting = true
        }
        if !deletions.isEmpty || isForgetting { try self.markDeletion(db) }
        if let slice { try self.write(slice, db) }
      }
    } catch is ConflictingDeletions {
      if let listed { erasures?.takeBack(to: listed) }
      faults.merge(conflicts) { $1 }
      return try attempt(definitions, writes, deletions.filter { conflicts[$0] == nil }, checks, &faults)
    } catch {
      if let listed { erasures?.takeBack(to: listed) }
      throw CommitFailure(error)
    }
    heads.withLock { heads in
      if let slice { heads.wrote(slice) }
      for (id, head) in moved { heads.move(id, to: head) }
      for id in deletions { heads.forget(id) }
      if isForgetting { heads.noteErasure() }
    }
    faults.merge(conflicts) { $1 }
    staged.withLock { staged in
      for write in writes where conflicts[write.id] == nil { if let place = write.write.staged { staged[place] = nil } }
    }
    if !deletions.isEmpty || isForgetting { sweeper.noteDeletion() }
    guard sweeper.committed(pages: log.pages) else { return }
    pool.writeWithoutTransaction { db in
      if log.restart(db, measuredBy: times) { sweeper.restarted() }
    }
  }

  /// Whether a response is stored under a key that a write uses. Only another node can have stored it.
  private func isTaken(_ write: SealedWrite, _ checks: JournalBatch.Checks?, _ db: Database) throws -> Bool {
    guard let checks else { return false }
    return try write.write.answers.contains { try self.answer($0.key, of: write.id, db).map { $0.until > checks.time } ?? false }
  }

  /// Appends a session's entries, and a snapshot when one is due. Returns the new head, or `nil` if there were no entries.
  private func append(_ sealed: SealedWrite, to head: Head?, _ insert: Prepared, _ keep: Prepared?, _ db: Database) throws -> Head? {
    let write = sealed.write
    let before = try write.staged.map { try EntryChain.taking(staged, at: $0, of: sealed.id, db) }
    let number = try head?.number ?? insertSession(write.record, before?.number, db)
    if let keep { try put(write.answers, of: sealed.id, number, keep, db) }
    if write.entries.isEmpty, write.beginning == nil { return nil }
    var chain = before ?? EntryChain(number: number)
    if let head { chain = EntryChain(number: number, entry: head.entry == 0 ? nil : head.entry, since: try head.since ?? since(head, db)) }
    try chain.append(write.entries, write.stages, in: self, insert, db)
    let since = chain.since
    var moved = Head(
      number: number, revision: write.record.state.revision, entry: chain.entry ?? 0, hash: write.entries.last?.hash ?? write.record.hash,
      updatedAt: write.record.updatedAt, due: write.entries.last.map(\.due) ?? write.record.state.wakeTime, since: since,
      beginning: head?.beginning)
    if head == nil {
      try moved.insert(write.record, db)
    } else if let definition = write.entries.last(where: { $0.definition != nil })?.definition {
      // Lists find sessions by their definition, so it is written at once.
      let change = try Prepared(db, "UPDATE heads SET definition = ?2 WHERE session = ?1")
      change.bind(1, number)
      change.bind(2, definition)
      try change.run()
    }
    if since.isEnough, !write.entries.isEmpty { moved.since = try snapshot(write.record, moved, after: since.total, db) }
    try put(sealed.secrets, of: sealed.id, db)
    return moved
  }

  /// `number` is that of staged entries; `nil` for a new one.
  private func insertSession(_ record: SessionRecord, _ staged: Int?, _ db: Database) throws -> Int {
    let number = staged ?? heads.withLock { $0.newSession() }
    try db.cachedStatement(
      sql: "INSERT INTO sessions (number, id, app, created_at, secret_hash, manual) VALUES (?, ?, ?, ?, ?, ?)"
    ).execute(arguments: [
      number, record.id, record.app, record.createdAt, Data(record.secretHash), record.state.manualTime == nil ? 0 : 1,
    ])
    return number
  }

  func snapshot(_ record: SessionRecord, _ head: Head, after total: Int, _ db: Database) throws -> Head.Since {
    let size = try snapshot(record.state, of: head.number, record.definition, entry: head.entry, after: total, db)
    return Head.Since(entries: 0, bytes: 0, snapshot: size, total: total + size, forgotten: head.since?.forgotten ?? 0)
  }

  /// Stores a state, and returns its size in bytes. `total` is the size of the journal before it.
  func snapshot(_ state: State, of session: Int, _ definition: String, entry: Int, after total: Int, _ db: Database) throws -> Int {
    let bytes = StateFormat.snapshot(state)
    guard bytes.count < db.longestValue else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
    let insert = try Prepared(db, Self.insertSnapshot)
    insert.bind(1, entry)
    insert.bind(2, session)
    insert.bind(3, state.revision)
    insert.bind(4, definition)
    insert.bind(5, total + bytes.count)
    insert.bind(6, blob: bytes)
    insert.bind(
      7,
      Snapshot(
        entry: entry, session: session, revision: state.revision, format: StateFormat.version, definition: definition,
        journal: total + bytes.count, state: bytes
      ).value(check))
    try insert.run()
    return bytes.count
  }

  // These texts are constants, because they are needed for every commit.

  static let insertEntry = """
    INSERT INTO entries
      (number, session, previous, revision, hash, at, due, engine, format, definition, label, request, nonce, cause, difference)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """
  private static let insertSnapshot = """
    INSERT OR REPLACE INTO snapshots (entry, session, revision, format, definition, journal, state, "check")
    VALUES (?, ?, ?, \(StateFormat.version), ?, ?, ?, ?)
    """

  /// The assumed size in bytes of an entry that was not counted.
  static let estimate = 150

  /// The entries since the last snapshot, for a head that was read from disk. The number of bytes is an estimate.
  func since(_ head: Head, _ db: Database) throws -> Head.Since {
    let newest = try Prepared(
      db, "SELECT revision, length(state), journal FROM snapshots WHERE session = ? ORDER BY revision DESC LIMIT 1"
    ).bound(head.number).row { ($0.count(0), $0.integer(1), $0.count(2)) }
    let entries = max(0, min(head.revision, State.highestCount) - (newest?.0 ?? 0))
    let bytes = entries * Self.estimate
    return Head.Since(
      entries: entries, bytes: bytes, snapshot: newest?.1 ?? 1_000, total: (newest?.2 ?? 0) + bytes,
      forgotten: head.beginning?.journal ?? 0)
  }

  private func put(_ secrets: [SealedWrite.Secret], of session: String, _ db: Database) throws {
    for secret in secrets {
      if let box = secret.box {
        try SecretRow(session: session, slot: secret.slot, box: box).put(check, db)
      } else {
        try db.cachedStatement(sql: "DELETE FROM secrets WHERE session = ? AND slot = ?").execute(arguments: [session, secret.slot])
      }
    }
  }
}

extension Database {
  /// The maximum length of a value. SQLite silently does not bind a longer one.
  var longestValue: Int { Int(sqlite3_limit(sqliteConnection, SQLITE_LIMIT_LENGTH, -1)) }
}

extension Head {
  /// Writes the row of a new session at once, because lists find sessions by its definition and label.
  fileprivate func insert(_ record: SessionRecord, _ db: Database) throws {
    let insert = try Prepared(
      db,
      """
      INSERT INTO heads (session, revision, entry, hash, updated_at, due, definition, label, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).bound(self)
    insert.bind(7, record.definition)
    insert.bind(8, record.label)
    insert.bind(9, record.createdAt)
    try insert.run()
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

/// Some of the sessions to delete have been changed by another node.
private struct ConflictingDeletions: Error {}

/// The error that made a transaction roll back.
private struct CommitFailure: Error {
  let error: any Error

  init(_ error: any Error) { self.error = error }

  var isTooLarge: Bool { (error as? DatabaseError)?.resultCode == .SQLITE_TOOBIG }

  /// Whether the disk is full.
  var isFull: Bool { (error as? DatabaseError)?.resultCode == .SQLITE_FULL || error as? JournalError == .full }

  /// Whether the error was caused by one session's data, not by the database.
  var isOfOneSession: Bool {
    guard let error = error as? DatabaseError else { return false }
    return [.SQLITE_CONSTRAINT, .SQLITE_TOOBIG, .SQLITE_MISMATCH].contains(error.resultCode)
  }
}

extension SQLiteJournal {
  fileprivate static func journalError(_ failure: CommitFailure) -> JournalError { journalError(failure.error) }
}
