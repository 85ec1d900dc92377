import CairnSQLite
import CairnStore

/// Opens the database for a start: for writing, or only for reading if its disk cannot be written.
struct DatabaseOpening {
  private let configuration: Configuration

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// Opens the journal. The database is created if it does not exist. `told` is called on the journal's threads.
  func journal(_ told: @escaping @Sendable (StoreEvent) -> Void) throws(StartFailure) -> SQLiteJournal {
    let path = configuration.database
    do {
      try SQLiteJournal.prepare(path, acceptsLoss: configuration.acceptsLoss)
    } catch {
      return try reading(told, insteadOf: error)
    }
    let keys = try keys()
    do {
      return try SQLiteJournal(
        path: path, keys: keys, acceptsLoss: configuration.acceptsLoss, readers: configuration.store.readers + 2, log: told)
    } catch {
      return try reading(told, insteadOf: error)
    }
  }

  private func keys() throws(StartFailure) -> [[UInt8]] {
    do {
      return try KeyFile.keys(setting: configuration.secretKey, database: configuration.database)
    } catch {
      throw .key(error)
    }
  }

  /// Opens the database only for reading if its disk cannot be written. Throws the original error if it has another cause.
  private func reading(
    _ told: @escaping @Sendable (StoreEvent) -> Void, insteadOf error: SQLiteJournalError
  ) throws(StartFailure) -> SQLiteJournal {
    guard error.mayBeTheDisk, let reason = Disk.hindrance(at: configuration.database) else { throw .journal(error) }
    let keys = try keys()
    do {
      let journal = try SQLiteJournal(readingOnly: configuration.database, keys: keys, readers: configuration.store.readers + 2)
      told(.readingOnly(reason: "\(configuration.database): \(reason)"))
      return journal
    } catch {
      throw .journal(error)
    }
  }
}
