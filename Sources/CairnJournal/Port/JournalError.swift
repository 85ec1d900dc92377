/// The reason why a call of the journal failed. The texts are for the log and contain no secrets.
package enum JournalError: Error, Hashable, Sendable {
  /// Another process holds a lock on the database, or its transaction conflicts with this one. A retry may succeed.
  case busy
  /// The disk is full.
  case full
  case readOnly
  case corrupt(String)
  /// The stored version of a session differs from the version that the batch expects, or a response already exists under a key of the batch.
  case conflict(session: String)
  /// Another node has changed a document of the app, such as an edition or a rollout, since this node read it.
  case outdated(app: String)
  /// The stored data cannot be read by this version or with this key.
  case unreadable(String)
  /// The data of a session exceeds the limit of the journal.
  case tooLarge(session: String)
  /// The revision is before the beginning of the session's journal, which begins with `first`.
  case forgotten(first: Int)
  case io(String)
  /// It is unknown whether a write was stored, because the connection to the database was lost or no standby confirmed the commit. Thrown by `commit` and
  /// `store` only.
  case uncertain
  case closed
}

extension JournalError {
  package var isConflict: Bool {
    if case .conflict = self { true } else { false }
  }
}

extension JournalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .busy: "the journal is locked by another process"
    case .full: "the disk has no space left for the journal"
    case .readOnly: "the journal cannot be written"
    case .corrupt(let text): "the journal is damaged: \(text)"
    case .conflict(let session): "session \(session) was changed by another node"
    case .outdated(let app): "the app \(app) or its rollout was changed by another node"
    case .unreadable(let text): "stored data cannot be read: \(text)"
    case .tooLarge(let session): "session \(session) is larger than the journal can store"
    case .forgotten(let first): "the history before revision \(first) was forgotten"
    case .io(let text): "the journal failed: \(text)"
    case .uncertain: "the connection to the database was lost, and it is unknown whether the last commit succeeded"
    case .closed: "the journal is closed"
    }
  }
}
