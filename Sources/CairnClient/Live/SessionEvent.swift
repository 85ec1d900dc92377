/// An event of a session's stream.
public enum SessionEvent: Sendable {
  /// The stream has been opened, for the first time or again.
  case connected
  /// The whole session. It is the first event after `connected`, unless the stream begins after a given revision. Later, it replaces missed
  /// changes that the service does not send one by one.
  case reset(SessionView)
  /// The entry of the next revision.
  case change(HistoryEntry)
  /// The stream was interrupted and is being opened again. It continues after the last event: no change is lost or repeated.
  case interrupted(ClientError)
  /// The last event of the stream.
  case ended(EndReason)

  /// The reason why the stream ended.
  public enum EndReason: String, Sendable {
    /// The session was ended.
    case deleted
    /// The session expired, because it had not changed for its time to live.
    case expired
    /// The secret or key that opened the stream is no longer valid.
    case credential
  }
}
