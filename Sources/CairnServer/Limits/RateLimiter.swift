import CairnRuntime

/// Counts the requests, failures and sessions of each client. Throws a `Refusal` if a client exceeds a limit. Thread-safe.
final class RateLimiter: Sendable {
  /// The exceeded limit, and the nanoseconds after which a retry can succeed.
  struct Refusal: Error, Equatable {
    let limit: Limit
    let wait: UInt64
  }

  let proxies: TrustedProxies
  private let now: @Sendable () -> UInt64
  private let requests, creations, failures: Lock<BucketTable<IPAddress>>?
  private let sessionRequests, sessionFailures: Lock<BucketTable<String>>?
  private let sessions: Lock<SessionCounts>?
  private let atOnce: Int
  private let guests = Lock<[IPAddress: Int]>([:])

  init(_ limits: RateLimits) {
    proxies = limits.proxies
    now = limits.now
    requests = limits.requestsPerAddress.map { Lock(BucketTable($0)) }
    creations = limits.creationsPerAddress.map { Lock(BucketTable($0)) }
    failures = limits.failuresPerAddress.map { Lock(BucketTable($0)) }
    sessionRequests = limits.requestsPerSession.map { Lock(BucketTable($0)) }
    sessionFailures = limits.failuresPerSession.map { Lock(BucketTable($0)) }
    sessions = limits.sessionsPerAddress > 0 ? Lock(SessionCounts(limit: limits.sessionsPerAddress)) : nil
    atOnce = limits.connectionsPerAddress
  }

  /// Counts a request from an address. Throws if the rate is exceeded.
  func request(from address: String) throws(Refusal) {
    if let requests { try take(from: requests, IPAddress(address)?.client, .requestsPerAddress) }
  }

  /// Counts a request that is authenticated by the session's secret. Throws if the rate is exceeded.
  func request(of session: String) throws(Refusal) {
    if let sessionRequests { try take(from: sessionRequests, session, .requestsPerSession) }
  }

  /// Reserves the creation of a session. Throws if a limit is exceeded. If it does not throw, the caller must call `started` or `failed`
  /// afterwards.
  func creation(from address: String) throws(Refusal) {
    guard creations != nil || sessions != nil, let client = IPAddress(address)?.client else { return }
    if let creations { try take(from: creations, client, .creationsPerAddress) }
    if let sessions, !sessions.withLock({ $0.reserve(client) }) { throw Refusal(limit: .sessionsPerAddress, wait: Self.minute) }
  }

  /// Records the id of a created session, after `creation`.
  func started(_ session: String, from address: String) {
    guard let sessions, let client = IPAddress(address)?.client else { return }
    sessions.withLock { $0.keep(session, of: client) }
  }

  /// Releases the reservation for a session that was not created.
  func failed(from address: String) {
    guard let sessions, let client = IPAddress(address)?.client else { return }
    sessions.withLock { $0.release(client) }
  }

  /// Stops counting a session that has ended.
  func ended(_ session: String) { sessions?.withLock { $0.end(session) } }

  /// Counts wrong credentials. Throws if the rate is exceeded.
  func failure(from address: String, of session: String?) throws(Refusal) {
    if let failures { try take(from: failures, IPAddress(address)?.client, .failuresPerAddress) }
    if let sessionFailures { try take(from: sessionFailures, session, .failuresPerSession) }
  }

  /// Whether an operator's key from this address may be checked. `false` after too many wrong credentials, because the caller could be
  /// guessing keys.
  func mayTry(from address: String) -> Bool {
    guard let failures, let client = IPAddress(address)?.client else { return true }
    return failures.withLock { $0.wait(client, at: now()) } == nil
  }

  /// Counts a running request of a client behind a proxy. Returns `false` if the client has too many running requests. The caller must call
  /// `left` in either case.
  func entered(_ address: String) -> Bool {
    guard let client = IPAddress(address)?.client else { return true }
    let count = guests.withLock { guests in
      guests[client, default: 0] += 1
      return guests[client, default: 0]
    }
    return atOnce == 0 || count <= atOnce
  }

  /// Stops counting a request that has ended.
  func left(_ address: String) {
    guard let client = IPAddress(address)?.client else { return }
    guests.withLock { guests in
      if let count = guests[client] { guests[client] = count > 1 ? count - 1 : nil }
    }
  }

  private func take<Key>(from table: Lock<BucketTable<Key>>, _ key: Key?, _ limit: Limit) throws(Refusal) {
    guard let key, let wait = table.withLock({ $0.take(key, at: now()) }) else { return }
    throw Refusal(limit: limit, wait: wait)
  }

  private static let minute: UInt64 = 60_000_000_000
}
