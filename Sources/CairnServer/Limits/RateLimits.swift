import CairnRuntime

/// The limits of one client. `nil` and 0: no limit.
package struct RateLimits: Sendable {
  package var requestsPerAddress: Rate?
  package var requestsPerSession: Rate?
  package var creationsPerAddress: Rate?
  /// Wrong credentials.
  package var failuresPerAddress: Rate?
  package var failuresPerSession: Rate?
  /// Sessions that an address has started and that were not ended, since the service started.
  package var sessionsPerAddress = 0
  /// Requests at once of a client behind a trusted proxy, whose connections are the proxy's; others are held by `Limits`.
  package var connectionsPerAddress = 0
  package var proxies = TrustedProxies()
  /// Nanoseconds, never set back.
  package var now: @Sendable () -> UInt64 = { Monotonic.now() }

  /// No limits.
  package init() {}
}
