/// The reason why a backup was not made, or not restored. Existing files are unchanged. Each reads as one clear line.
package enum BackupFault: Error, Hashable, Sendable {
  /// The file to be read is not there.
  case missing(path: String)
  /// The file to be written exists already.
  case exists(path: String)
  /// The file to be written is the database itself.
  case itself(path: String)
  case journal(SQLiteJournalError)
  case failed(path: String, reason: String)
  /// The file that was read is damaged.
  case damaged(path: String, reason: String)
  /// No key is lost: one of those at hand opens the database.
  case keyOpens(path: String)
  /// Ended from outside.
  case interrupted
}

extension BackupFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path): "\(path): is not there"
    case .exists(let path): "\(path): is there already; --force replaces it"
    case .itself(let path): "\(path): is the database itself"
    case .journal(let error): "\(error)"
    case .failed(let path, let reason): "\(path): cannot be written: \(reason)"
    case .damaged(let path, let reason): "\(path): is damaged: \(reason)"
    case .keyOpens(let path): "\(path): an available secret key opens it; nothing has to be forgotten"
    case .interrupted: "interrupted; nothing was written"
    }
  }
}
