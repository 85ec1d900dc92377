/// The reason why a backup was not made or restored, a database was not compacted, or a lost key was not replaced. No existing data is
/// lost. Each description fits on one line.
package enum BackupFault: Error, Hashable, Sendable {
  /// The backup or the database to read does not exist.
  case missing(path: String)
  /// The target file exists already.
  case exists(path: String)
  /// The target file is the database itself.
  case itself(path: String)
  case journal(SQLiteJournalError)
  case failed(path: String, reason: String)
  /// The database file that was read is damaged.
  case damaged(path: String, reason: String)
  /// The contents of the backup have faults, one line each.
  case findings(path: String, [String])
  /// The secret key is not lost, because one of the available keys decrypts the database.
  case keyOpens(path: String)
  /// The caller interrupted the operation.
  case interrupted
}

extension BackupFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path): "\(path): does not exist"
    case .exists(let path): "\(path): already exists; --force replaces it"
    case .itself(let path): "\(path): is the database itself; give another path"
    case .journal(let error): "\(error)"
    case .failed(let path, let reason): "\(path): cannot be written: \(reason)"
    case .damaged(let path, let reason): "\(path): is damaged: \(reason)"
    case .findings(let path, let lines):
      "\(path): not restored: the check found \(lines.count == 1 ? "a fault" : "\(lines.count) faults"); --accept-findings restores it anyway"
    case .keyOpens(let path): "\(path): an available secret key decrypts it, so no secret has to be deleted"
    case .interrupted: "interrupted; nothing was written"
    }
  }
}
