/// Why a database was not opened. Nothing in it was changed. Each reads as one clear line.
package enum SQLiteJournalError: Error, Hashable, Sendable {
  /// The directory is not there and cannot be made, or nothing can be written in it.
  case directory(path: String, reason: String)
  /// A file of the database cannot be used; the reason names its owner and the remedy where permission is missing.
  case file(path: String, reason: String)
  /// Another process holds `<database>.lock`.
  case lockedByAnother(path: String)
  /// The file is something else, or what SQLite made of it is damaged.
  case notADatabase(path: String)
  case corrupt(path: String, reason: String)
  /// A SQLite database with tables, none of them Cairn's.
  case foreign(path: String)
  /// It is of a newer format than this version knows.
  case newerFormat(path: String, format: Int, known: Int)
  /// It is of a build from before formats had numbers, which no version reads any more.
  case earlierBuild(path: String)
  /// A migration has another text than when it was applied.
  case changedMigration(path: String, migration: String)
  /// It was made with another secret key. The keys' fingerprints reveal nothing of them; `made` is `nil` if it was not recorded.
  case wrongKey(path: String, given: [String], made: String?)
  /// Less is there than was acknowledged.
  case lost(path: String, Loss)
  /// SQLite does not keep what is promised: WAL with `synchronous=FULL`.
  case notDurable(path: String, reason: String)
  case notOpened(path: String, reason: String)
}

extension SQLiteJournalError {
  /// Whether a disk that is full or read-only leads here; everything else is wrong on any disk.
  package var mayBeTheDisk: Bool {
    switch self {
    case .directory, .file, .notDurable, .notOpened: true
    case .lockedByAnother, .notADatabase, .corrupt, .foreign, .newerFormat, .earlierBuild, .changedMigration, .wrongKey, .lost: false
    }
  }
}

extension SQLiteJournalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .directory(let path, let reason): "\(path): the directory of the database cannot be used: \(reason)"
    case .file(let path, let reason): "\(path): cannot be used: \(reason)"
    case .lockedByAnother(let path): "\(path): another Cairn uses this database (it holds \(path).lock)"
    case .notADatabase(let path): "\(path): this is not a database; it was left as it is"
    case .corrupt(let path, let reason): "\(path): the database is damaged: \(reason)"
    case .foreign(let path): "\(path): this database belongs to another program; it was left as it is"
    case .newerFormat(let path, let format, let known):
      "\(path): a newer Cairn wrote this database (format \(format); this version reads up to \(known)); it was left as it is: start the newer version again"
    case .earlierBuild(let path):
      "\(path): this database is of an earlier build, whose format is not read any more; it was left as it is: start on a new path, or move it away with its -wal, .key and .mark files"
    case .changedMigration(let path, let migration):
      "\(path): migration \(migration) has another text than when it was applied; use the version that applied it"
    case .wrongKey(let path, let given, let made):
      "\(path): the secret key (\(given.joined(separator: ", "))) is not the one that this database was made with"
        + (made.map { " (\($0))" } ?? "")
    case .lost(let path, let loss): "\(path): \(loss); to continue with the remaining data, start once with --accept-loss"
    case .notDurable(let path, let reason): "\(path): the database cannot be made durable: \(reason)"
    case .notOpened(let path, let reason): "\(path): the database cannot be opened: \(reason)"
    }
  }
}
