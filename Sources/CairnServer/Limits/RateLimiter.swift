import CairnRuntime

/// Counts what clients ask for and says when it is too much. Any thread.
final class RateLimiter: Sendable {
  /// Nanoseconds until it is worth another try.
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

  /// A request has come.
  func request(from address: String) throws(Refusal) {
    if let requests { try take(from: requests, IPAddress(address)?.client, .requestsPerAddress) }
  }

  /// A session is driven by its own client.
  func request(of session: String) throws(Refusal) {
    if let sessionRequests { try take(from: sessionRequests, session, .requestsPerSession) }
  }

  /// A session is about to start. Unless that is refused, `started` or `failed` must follow.
  func creation(from address: String) throws(Refusal) {
    guard creations != nil || sessions != nil, let client = IPAddress(address)?.client else { return }
    if let creations { try take(from: creations, client, .creationsPerAddress) }
    if let sessions, !sessions.withLock({ $0.reserve(client) }) { throw Refusal(limit: .sessionsPerAddress, wait: Self.minute) }
  }

  /// The session that was about to start has this id.
  func started(_ session: String, from address: String) {
    guard let sessions, let client = IPAddress(address)?.client else { return }
    sessions.withLock { $0.keep(session, of: client) }
  }

  /// It did not start.
  func failed(from address: String) {
    guard let sessions, let client = IPAddress(address)?.client else { return }
    sessions.withLock { $0.release(client) }
  }

  /// A session has ended.
  func ended(_ session: String) { sessions?.withLock { $0.end(session) } }

  /// Credentials were given that open nothing.
  func failure(from address: String, of session: String?) throws(Refusal) {
    if let failures { try take(from: failures, IPAddress(address)?.client, .failuresPerAddress) }
    if let sessionFailures { try take(from: sessionFailures, session, .failuresPerSession) }
  }

  /// Whether guessable credentials from an address may still be tried.
  func mayTry(from address: String) -> Bool {
    guard let failures, let client = IPAddress(address)?.client else { return true }
    return failures.withLock { $0.wait(client, at: now()) } == nil
  }

  /// A request of a client behind a proxy has begun; false: it has as many as it may. `left` must follow in any case.
  func entered(_ address: String) -> Bool {
    guard let client = IPAddress(address)?.client else { return true }
    let count = guests.withLock { guests in
      guests[client, default: 0] += 1
      return guests[client, default: 0]
    }
    return atOnce == 0 || count <= atOnce
  }

  /// It has ended.
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
