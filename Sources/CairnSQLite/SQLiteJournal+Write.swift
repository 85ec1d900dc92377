import CairnCore
package import CairnStore
import Foundation
import GRDB

extension SQLiteJournal {
  package func commit(_ batch: JournalBatch) throws(JournalError) {
    let writes = try batch.sessions.map { write throws(JournalError) in try EncodedWrite(write, secrets) }
    try guarded {
      try pool.write { db in
        for (hash, text) in batch.definitions {
          try db.cachedStatement(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)")
            .execute(arguments: [hash, text])
        }
        for write in writes { try self.put(write, db) }
        for session in batch.deletions { try self.delete(session, db) }
      }
    }
    if !batch.deletions.isEmpty { emptyLog() }
  }

  /// Moves the WAL into the database and empties it: what was deleted still stands there until then. A checkpoint that fails (a reader may
  /// be in the way) loses nothing; the next deletion, checkpoint or start does it.
  func emptyLog() {
    // A pragma, because GRDB's own call does not look whether the connection is closed already.
    try? pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  package func probe() throws(JournalError) {
    try guarded {
      try pool.write { db in
        try db.execute(
          sql: "INSERT INTO settings (name, value) VALUES ('probe', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
          arguments: [Data(UUID().uuidString.utf8)])
      }
    }
  }

  private func put(_ write: EncodedWrite, _ db: Database) throws {
    let record = write.record
    var previous: Int64?
    var number: Int64?
    let stored = try Row.fetchOne(
      db.cachedStatement(sql: "SELECT number, revision, last_entry FROM sessions WHERE id = ?"), arguments: [record.id])
    guard (stored?["revision"] ?? 0) == write.after else { throw JournalError.conflict(session: record.id) }
    if let stored {
      number = stored["number"]
      previous = stored["last_entry"]
    }
    let append = try db.cachedStatement(
      sql: "INSERT INTO entries (previous, revision, at, nonce, cause) VALUES (?, ?, ?, ?, ?)")
    for entry in write.entries {
      try append.execute(arguments: [previous, entry.revision, entry.time, entry.nonce, entry.cause])
      previous = db.lastInsertedRowID
    }
    if let number {
      try db.cachedStatement(
        sql: "UPDATE sessions SET updated_at = ?, revision = ?, effects = ?, last_entry = ?, state = ? WHERE number = ?"
      ).execute(arguments: [
        record.updatedAt, record.state.revision, record.state.effects.count, previous, write.state, number,
      ])
    } else {
      try db.cachedStatement(
        sql: """
          INSERT INTO sessions (id, app, definition, label, created_at, updated_at, secret_hash, revision, effects, last_entry, state)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        record.id, record.app, record.definition, record.label, record.createdAt, record.updatedAt, Data(record.secretHash),
        record.state.revision, record.state.effects.count, previous, write.state,
      ])
    }
    for (slot, box) in write.secrets {
      if let box {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO secrets (session, slot, box) VALUES (?, ?, ?)")
          .execute(arguments: [record.id, slot, box])
      } else {
        try db.cachedStatement(sql: "DELETE FROM secrets WHERE session = ? AND slot = ?").execute(arguments: [record.id, slot])
      }
    }
  }

  private func delete(_ session: String, _ db: Database) throws {
    try db.cachedStatement(
      sql: """
        WITH RECURSIVE chain (number, previous) AS (
          SELECT e.number, e.previous FROM sessions s JOIN entries e ON e.number = s.last_entry WHERE s.id = ?
          UNION ALL
          SELECT e.number, e.previous FROM chain c JOIN entries e ON e.number = c.previous
        )
        DELETE FROM entries WHERE number IN (SELECT number FROM chain)
        """
    ).execute(arguments: [session])
    try db.cachedStatement(sql: "DELETE FROM secrets WHERE session = ?").execute(arguments: [session])
    try db.cachedStatement(sql: "DELETE FROM sessions WHERE id = ?").execute(arguments: [session])
  }
}

/// A write made ready before the transaction begins: JSON encoded, secrets in their boxes.
private struct EncodedWrite: Sendable {
  struct Row: Sendable {
    var revision: Int
    var time: Int
    var nonce: String
    var cause: String
  }

  let record: SessionRecord
  let after: Int
  let state: String
  let entries: [Row]
  /// Boxes by slot; nil: to be forgotten.
  let secrets: [(slot: Int, box: Data?)]

  init(_ write: SessionWrite, _ box: SecretBox) throws(JournalError) {
    record = write.record
    after = write.after
    do {
      state = try Coding.text(write.record.state)
      entries = try write.entries.map { entry in
        Row(
          revision: entry.revision, time: entry.stamp.time, nonce: entry.stamp.nonce, cause: try Coding.text(entry.cause))
      }
      let id = write.record.id
      secrets = try write.secrets.map { slot, change in
        guard case .keep(let text) = change else { return (slot.number, nil) }
        return (slot.number, try box.seal(text, for: slot.purpose(of: id)))
      }
    } catch {
      // The error's own text may quote what could not be encoded.
      throw .unreadable("session \(write.record.id) cannot be encoded")
    }
  }
}
