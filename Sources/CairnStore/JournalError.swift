/// Why the journal could not do it. The texts are for the log and hold no secret.
package enum JournalError: Error, Hashable, Sendable {
  /// Another process holds it; a retry may help.
  case busy
  /// No room is left.
  case full
  case readOnly
  case corrupt(String)
  /// The stored revision is not the one that the write was made for.
  case conflict(session: String)
  /// The stored data cannot be read by this version, or not with this key.
  case unreadable(String)
  /// The data of a session is longer than the journal accepts.
  case tooLarge(session: String)
  case io(String)
  case closed
}

extension JournalError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .busy: "the journal is locked by another process"
    case .full: "no room is left for the journal"
    case .readOnly: "the journal cannot be written"
    case .corrupt(let text): "the journal is damaged: \(text)"
    case .conflict(let session): "session \(session) was changed by another process"
    case .unreadable(let text): "stored data cannot be read: \(text)"
    case .tooLarge(let session): "session \(session) is larger than the journal takes"
    case .io(let text): "the journal failed: \(text)"
    case .closed: "the journal is closed"
    }
  }
}
