/// An event of a session's stream.
public enum SessionEvent: Sendable {
  /// The stream is open: for the first time, or again.
  case connected
  /// The whole session: the stream begins here, or has missed too many changes to send them one by one.
  case reset(SessionView)
  /// The next revision.
  case change(HistoryEntry)
  /// The stream broke. It is opened again, and goes on where it was: nothing is missed and nothing comes twice.
  case interrupted(ClientError)
  /// The last one.
  case ended(EndReason)

  /// Why nothing more comes.
  public enum EndReason: String, Sendable {
    /// The session was ended.
    case deleted
    /// Nothing changed it for as long as sessions live.
    case expired
    /// The secret or key that opened the stream does not hold any more.
    case credential
  }
}
