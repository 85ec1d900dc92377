import CairnJournal

/// The reason why a database was not opened. The description fits on one line and contains no password.
package enum PostgresJournalError: Error, Hashable, Sendable {
  /// The server cannot be reached, or refused the connection.
  case notConnected(database: String, reason: String)
  /// The database can be reached but not used, for example because of the server's version or settings, the format of the tables, or an incomplete copy.
  case unsuitable(database: String, reason: String)
  /// The given secret key is not the key of the database.
  case wrongKey(database: String)
  case notOpened(database: String, reason: String)

  init(_ error: PostgresError, _ target: PostgresTarget) {
    switch error.local {
    case .unsuitable, .newer: self = .unsuitable(database: target.name, reason: error.text)
    case .wrongKey: self = .wrongKey(database: target.name)
    case _ where error.isOfConnection: self = .notConnected(database: target.name, reason: error.text)
    case _ where error.isOfPermission:
      self = .notOpened(
        database: target.name,
        reason: "\(error); run cairn migrate with a role that may create tables, and --grant with the role of the nodes")
    default: self = .notOpened(database: target.name, reason: error.description)
    }
  }
}

extension PostgresJournalError {
  /// Whether another attempt may succeed without a change by an operator, because the server is off or starting, is temporarily a standby,
  /// or has no free connection.
  package var mayPass: Bool {
    switch self {
    case .unsuitable, .wrongKey, .notOpened: false
    case .notConnected(_, let reason): !Self.lasting.contains { reason.contains($0) }
    }
  }

  /// Parts of the reasons for which a server refuses connections until a setting is changed.
  private static let lasting = [
    "authentication failed", "no password supplied", "pg_hba.conf", "does not exist", "permission denied", "does not support SSL",
    "unsupported startup parameter", "certificate",
  ]
}

extension PostgresJournalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notConnected(let database, let reason): "the database \(database) cannot be reached: \(reason)"
    case .unsuitable(let database, let reason): "the database \(database) cannot be used: \(reason)"
    case .wrongKey(let database):
      "the secrets of the database \(database) were encrypted with another secret key; set CAIRN_SECRET_KEY to the key of the other nodes"
    case .notOpened(let database, let reason): "the database \(database) cannot be opened: \(reason)"
    }
  }
}

extension JournalError {
  /// Converts the error of a call that has certainly changed nothing.
  init(_ error: PostgresError) {
    if error.local == .closed {
      self = .closed
    } else if error.local == .outdated {
      self = .outdated(app: error.text)
    } else if error.isTemporary {
      self = error.holders.map { .io("a lock on its tables is held by \($0)") } ?? .busy
    } else if error.isFull {
      self = .full
    } else {
      self = error.isReadOnly ? .readOnly : .io(error.description)
    }
  }
}
