import CairnCore

/// The reason why a database was not opened. The database is unchanged. Each description fits on one line.
package enum SQLiteJournalError: Error, Hashable, Sendable {
  /// The directory does not exist and cannot be created, or is not writable.
  case directory(path: String, reason: String)
  /// A file of the database cannot be used. For a missing permission the reason contains the owner and the remedy.
  case file(path: String, reason: String)
  /// Another process holds `<database>.lock`.
  case lockedByAnother(path: String)
  /// The file is not a SQLite database, or is damaged.
  case notADatabase(path: String)
  case corrupt(path: String, reason: String)
  /// A SQLite database whose tables do not belong to Cairn.
  case foreign(path: String)
  /// The database has a newer format than this version supports.
  case newerFormat(path: String, format: Int, known: Int)
  /// The database was written by a build without format numbers, or has entries of a format that this version does not read.
  case earlierBuild(path: String)
  /// The database has definitions in the words of an earlier version of the language.
  case earlierLanguage(path: String, definitions: Int, apps: [String])
  /// The text of an applied migration has changed.
  case changedMigration(path: String, migration: String)
  /// The database was encrypted with another secret key. `given` contains the names of the given keys. `made` is the name of the database's key; `nil` if it
  /// was not recorded. Names do not reveal the keys.
  case wrongKey(path: String, given: [String], made: String?)
  /// Acknowledged data is missing.
  case lost(path: String, Loss)
  /// SQLite does not provide the required durability: WAL with `synchronous=FULL`.
  case notDurable(path: String, reason: String)
  case notOpened(path: String, reason: String)
}

extension SQLiteJournalError {
  /// Whether a full or read-only disk may have caused the error.
  package var mayBeTheDisk: Bool {
    switch self {
    case .directory, .file, .notDurable, .notOpened: true
    case .lockedByAnother, .notADatabase, .corrupt, .foreign, .newerFormat, .earlierBuild, .earlierLanguage, .changedMigration, .wrongKey,
      .lost:
      false
    }
  }
}

extension SQLiteJournalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .directory(let path, let reason): "\(path): the directory of the database cannot be used: \(reason)"
    case .file(let path, let reason): "\(path): cannot be used: \(reason)"
    case .lockedByAnother(let path): "\(path): another process of Cairn uses this database (it holds the lock \(path).lock)"
    case .notADatabase(let path): "\(path): this is not a database; it was not changed"
    case .corrupt(let path, let reason): "\(path): the database is damaged: \(reason)"
    case .foreign(let path): "\(path): this database belongs to another program; it was not changed"
    case .newerFormat(let path, let format, let known):
      "\(path): a newer Cairn wrote this database (format \(format); this version reads up to \(known)); it was not changed; start the newer version again"
    case .earlierBuild(let path):
      "\(path): this version does not support the old format of this database; it was not changed; use another path, or move it away "
        + "with its -wal, .key and .mark files"
    case .earlierLanguage(let path, let definitions, let apps):
      "\(path): \(CountText.of(definitions, "definition")) of \(apps.joined(separator: ", ")) use words of an earlier language version, "
        + "which this version does not read; the database was not changed; use another path, and publish there the files that cairn fix has rewritten"
    case .changedMigration(let path, let migration):
      "\(path): migration \(migration) differs from the one that was applied; use the version that applied it"
    case .wrongKey(let path, let given, let made):
      "\(path): the secret key (\(given.joined(separator: ", "))) is not the key of this database"
        + (made.map { " (\($0))" } ?? "")
    case .lost(let path, let loss): "\(path): \(loss); to continue with the remaining data, start once with --accept-loss"
    case .notDurable(let path, let reason): "\(path): the database cannot be made durable: \(reason)"
    case .notOpened(let path, let reason): "\(path): the database cannot be opened: \(reason)"
    }
  }
}
