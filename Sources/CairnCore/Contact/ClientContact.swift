#if !CLIENT_ENGINE
  /// The contact of a session with a client that numbers its actions.
  public struct ClientContact: Hashable, Sendable {
    /// The time until which the client may still have unsent actions, in milliseconds since 1970: `offlineFor` after the time of its newest action.
    public var until: WideInt

    public init(until: WideInt) { self.until = until }

    /// The contact with a client for which no time is stored.
    static let unknown = ClientContact(until: 0)
  }

  extension State {
    /// The time until which any client may still have unsent actions, in milliseconds since 1970; 0 if the session has no clients.
    package var contactEnd: WideInt { contacts.reduce(0) { max($0, $1.until) } }
  }
#endif
