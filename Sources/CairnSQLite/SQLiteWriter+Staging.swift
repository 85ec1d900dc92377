import CairnJournal
import CairnRuntime
import GRDB

// Writes entries of a session that does not exist yet. Until the session is created, its entries have a tombstone instead of a head.
extension SQLiteWriter {
  func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int {
    if let reserve, reserve.isGivenUp { throw .full }
    let before: EntryChain
    if let place {
      guard let found = database.staged.withLock({ $0[place] }) else { throw .io("no entries are staged under number \(place)") }
      before = found
    } else {
      before = EntryChain(number: database.heads.withLock { $0.newSession() })
    }
    // The chain is recorded before the commit, because the sweeper sees the tombstone after the commit.
    database.staged.withLock { $0[before.number] = before }
    var chain = before
    do throws(JournalError) {
      try database.guarded {
        try database.pool.committing { db in
          for (hash, text) in entries.definitions {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)").execute(arguments: [hash, text])
          }
          let longest = Snapshots.longest(db)
          guard entries.entries.allSatisfy({ $0.difference.count < longest }) else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
          try chain.append(entries.entries, entries.stages, to: self.snapshots, Prepared(db, Self.insertEntry), db)
          try chain.putTombstone(db)
          // Erasing these rows must not lower the newest number.
          try self.database.markDeletion(db)
        }
      }
    } catch {
      if place == nil { database.staged.withLock { $0[before.number] = nil } }
      throw error
    }
    database.heads.withLock { $0.noteErasure() }
    database.staged.withLock { [chain] in $0[chain.number] = chain }
    return chain.number
  }

  func unstage(_ place: Int) throws(JournalError) {
    guard database.staged.withLock({ $0.removeValue(forKey: place) }) != nil else { return }
    sweeper.noteDeletion()
  }
}
