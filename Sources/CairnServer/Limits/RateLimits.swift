import CairnRuntime

/// The limits of one client. `nil` and 0 mean no limit.
package struct RateLimits: Sendable {
  package var requestsPerAddress: Rate?
  package var requestsPerSession: Rate?
  package var creationsPerAddress: Rate?
  /// The rate of wrong credentials.
  package var failuresPerAddress: Rate?
  package var failuresPerSession: Rate?
  /// The maximum number of sessions that an address has created since the service started and that still exist.
  package var sessionsPerAddress = 0
  /// The maximum number of concurrent requests of a client behind a trusted proxy. The connections of other clients are limited by `Limits`.
  package var connectionsPerAddress = 0
  package var proxies = TrustedProxies()
  /// Monotonic time in nanoseconds.
  package var now: @Sendable () -> UInt64 = { Monotonic.now() }

  /// Creates limits that allow everything.
  package init() {}
}
