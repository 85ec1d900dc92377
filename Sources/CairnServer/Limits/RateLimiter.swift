import CairnRuntime

/// Enforces the limits of requests, sessions and wrong credentials per client. Any thread.
final class RateLimiter: Sendable {
  /// The nanoseconds after which a retry may succeed.
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

  /// Counts a request of an address.
  func request(from address: String) throws(Refusal) {
    if let requests { try take(from: requests, IPAddress(address)?.client, .requestsPerAddress) }
  }

  /// Counts a request of a session's client.
  func request(of session: String) throws(Refusal) {
    if let sessionRequests { try take(from: sessionRequests, session, .requestsPerSession) }
  }

  /// Counts a session that is about to be created. Unless it throws, `started` or `failed` must follow.
  func creation(from address: String) throws(Refusal) {
    guard creations != nil || sessions != nil, let client = IPAddress(address)?.client else { return }
    if let creations { try take(from: creations, client, .creationsPerAddress) }
    if let sessions, !sessions.withLock({ $0.reserve(client) }) { throw Refusal(limit: .sessionsPerAddress, wait: Self.minute) }
  }

  /// Records the id of the session that was created.
  func started(_ session: String, from address: String) {
    guard let sessions, let client = IPAddress(address)?.client else { return }
    sessions.withLock { $0.keep(session, of: client) }
  }

  /// Releases the place of a session that was not created.
  func failed(from address: String) {
    guard let sessions, let client = IPAddress(address)?.client else { return }
    sessions.withLock { $0.release(client) }
  }

  /// Releases the place of a deleted session.
  func ended(_ session: String) { sessions?.withLock { $0.end(session) } }

  /// Counts wrong credentials.
  func failure(from address: String, of session: String?) throws(Refusal) {
    if let failures { try take(from: failures, IPAddress(address)?.client, .failuresPerAddress) }
    if let sessionFailures { try take(from: sessionFailures, session, .failuresPerSession) }
  }

  /// Whether guessable credentials from an address are still checked.
  func mayTry(from address: String) -> Bool {
    guard let failures, let client = IPAddress(address)?.client else { return true }
    return failures.withLock { $0.wait(client, at: now()) } == nil
  }

  /// Counts a request in progress of a client behind a proxy. Returns `false` if it has too many. `left` must follow in any case.
  func entered(_ address: String) -> Bool {
    guard let client = IPAddress(address)?.client else { return true }
    let count = guests.withLock { guests in
      guests[client, default: 0] += 1
      return guests[client, default: 0]
    }
    return atOnce == 0 || count <= atOnce
  }

  /// Counts the end of a request.
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
