/// The time at which a user acted, according to the user's client. The order of actions never depends on it.
public struct ClientTime: Hashable, Sendable {
  /// The time by the client's clock in milliseconds since 1970. This clock may be wrong, so only the difference between two of its times is
  /// meaningful.
  public var clock: WideInt
  /// The time by the service's clock in milliseconds since 1970.
  public var happened: WideInt

  public init(clock: WideInt, happened: WideInt) {
    self.clock = clock
    self.happened = happened
  }
}

#if !CLIENT_ENGINE
  extension ClientTime {
    /// The time of an action in a request that was sent at `sent` by the client's clock and arrived at `arrival` by the service's clock. The action is as old
    /// as the client's clock says, but it happened neither before `earliest` nor after its arrival.
    package init(_ clock: WideInt, sent: WideInt, arrival: WideInt, earliest: WideInt) {
      self.init(clock: clock, happened: min(max(arrival - (sent - clock), earliest), arrival))
    }
  }
#endif
