import CairnRuntime
package import CairnStore
import GRDB

// The entries of a session that does not exist yet. Until it does, they have a tombstone instead of a head.
extension SQLiteJournal {
  package func stage(_ entries: StagedEntries, at place: Int?) throws(JournalError) -> Int {
    if let reserve, reserve.isGivenUp { throw .full }
    let before: EntryChain
    if let place {
      guard let found = staged.withLock({ $0[place] }) else { throw .io("no entries are staged there") }
      before = found
    } else {
      before = EntryChain(number: heads.withLock { $0.newSession() })
    }
    // Before the commit, because the sweeper sees the tombstone from then on.
    staged.withLock { $0[before.number] = before }
    var chain = before
    do throws(JournalError) {
      try guarded {
        try pool.committing { db in
          for (hash, text) in entries.definitions {
            try db.cachedStatement(sql: "INSERT OR IGNORE INTO definitions (hash, text) VALUES (?, ?)").execute(arguments: [hash, text])
          }
          let longest = db.longestValue
          guard entries.entries.allSatisfy({ $0.difference.count < longest }) else { throw DatabaseError(resultCode: .SQLITE_TOOBIG) }
          try chain.append(entries.entries, entries.stages, in: self, Prepared(db, Self.insertEntry), db)
          try chain.putTombstone(db)
          // Erasing these rows must not lower the newest number.
          try self.markDeletion(db)
        }
      }
    } catch {
      if place == nil { staged.withLock { $0[before.number] = nil } }
      throw error
    }
    heads.withLock { $0.noteErasure() }
    staged.withLock { [chain] in $0[chain.number] = chain }
    return chain.number
  }

  package func unstage(_ place: Int) throws(JournalError) {
    guard staged.withLock({ $0.removeValue(forKey: place) }) != nil else { return }
    sweeper.noteDeletion()
  }
}
