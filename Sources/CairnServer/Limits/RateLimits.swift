import CairnRuntime

/// The limits per client. A limit that is `nil` or 0 does not apply.
package struct RateLimits: Sendable {
  package var requestsPerAddress: Rate?
  package var requestsPerSession: Rate?
  package var creationsPerAddress: Rate?
  /// The rates of wrong credentials, per address and per session.
  package var failuresPerAddress: Rate?
  package var failuresPerSession: Rate?
  /// The largest number of sessions per address that were created since the service started and have not ended.
  package var sessionsPerAddress = 0
  /// The largest number of simultaneous requests per client behind a trusted proxy. For other clients, `Limits` of CairnHTTP bounds the
  /// connections.
  package var connectionsPerAddress = 0
  package var proxies = TrustedProxies()
  /// A monotonic clock, in nanoseconds.
  package var now: @Sendable () -> UInt64 = { Monotonic.now() }

  /// Creates limits without any maximum.
  package init() {}
}
