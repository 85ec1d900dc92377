import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

/// Authenticates and authorizes callers, and finds the session of a request. Thread-safe.
final class Access: Sendable {
  let store: Store
  let limiter: RateLimiter
  let operators: OperatorKeys
  let tickets: Tickets
  let telemetry: Telemetry

  init(_ store: Store, _ limiter: RateLimiter, _ operators: OperatorKeys, _ tickets: Tickets, _ telemetry: Telemetry) {
    self.store = store
    self.limiter = limiter
    self.operators = operators
    self.tickets = tickets
    self.telemetry = telemetry
  }

  static let challenge: Headers = ["WWW-Authenticate": "Bearer realm=\"cairn\""]

  /// Finds a session for an authorized caller, then calls `next` on any thread; otherwise rejects the call. A wrong secret and an unknown
  /// session get the same response after the same time (`Store.session(_:opens:)`).
  func withSession(_ call: Call, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void) {
    withSession(call, Credentials(call.request.headers), next)
  }

  /// Returns the session of a request that has the session's secret, without waiting. This suffices for most requests. Returns `nil` if the
  /// session is not in memory, if an operator makes the request, or if the secret is wrong; the caller of this function then continues with
  /// `withSession`. Throws if the session's rate limit is exceeded. `toWrite` is whether the writer will run the request. If it is `true`,
  /// the returned session may lack changes of another node, which the commit detects.
  func cachedSession(_ call: Call, _ credentials: Credentials, toWrite: Bool = false) throws(Rejection) -> Session? {
    guard credentials.looksLikeSecret, call.hasSessionID else { return nil }
    let session =
      toWrite
      ? store.cachedToWrite(call.parameter, opens: { credentials.match($0) })
      : store.cached(call.parameter, opens: { credentials.match($0) })
    guard let session else { return nil }
    try letIn(call, to: session)
    return session
  }

  /// Records in the call that the caller has the session's secret, and counts the request. Throws if the session's rate limit is exceeded.
  private func letIn(_ call: Call, to session: Session) throws(Rejection) {
    call.isFrom(.session)
    do throws(RateLimiter.Refusal) {
      try limiter.request(of: session.id)
    } catch {
      throw refused(error, call)
    }
  }

  /// Finds a session like `withSession(_:_:)`, with credentials that have already been read.
  func withSession(
    _ call: Call, _ credentials: Credentials, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void
  ) {
    let what = "this request requires the session's secret or an operator's key: Authorization: Bearer …"
    guard case .bearer = credentials else { return call.reject(unauthorized(call, credentials, what)) }
    guard call.hasSessionID else {
      return call.reject(principal(of: credentials, call) != nil ? call.rejection(.unknownSession) : unauthorized(call, credentials, what))
    }
    // A token in the form of a session's secret can still be an operator's key. Any other token cannot be a session's secret.
    if !credentials.looksLikeSecret, principal(of: credentials, call) != nil { return asOperator(call, next) }
    store.session(call.parameter, opens: { credentials.match($0) }) { result in
      do throws(Rejection) {
        switch result {
        case .success(let session):
          try self.letIn(call, to: session)
          try next(session, .session)
        case .failure(.unknownSession):
          guard credentials.looksLikeSecret, self.principal(of: credentials, call) != nil else {
            throw self.unauthorized(call, credentials, what)
          }
          self.asOperator(call, next)
        case .failure(let fault): throw call.rejection(fault)
        }
      } catch {
        call.reject(error)
      }
    }
  }

  /// Finds a session for an authenticated operator, then calls `next` on any thread.
  private func asOperator(_ call: Call, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void) {
    store.session(call.parameter) { result in
      do throws(Rejection) {
        try next(try result.mapError { call.rejection($0) }.get(), .operator)
      } catch {
        call.reject(error)
      }
    }
  }

  /// Returns the session of a request for an authenticated operator. Throws if the session does not exist or cannot be read. Blocks; must
  /// run on an operators' thread.
  func session(of call: Call, on threads: OperatorThreads) throws(Rejection) -> Session {
    guard call.hasSessionID else { throw call.rejection(.unknownSession) }
    return try threads.waiting { store.session(call.parameter, reply: $0) }
  }

  /// Authenticates an operator and records the operator in the call. Returns `nil` if the credentials match no key. After too many wrong
  /// credentials from an address, the result is `nil` for every key, because the caller may be guessing keys. A session's secret is always
  /// checked, because its 256 random bits cannot be guessed.
  func principal(of credentials: Credentials, _ call: Call) -> Principal? {
    guard case .bearer = credentials, limiter.mayTry(from: call.address), let principal = operators.principal(of: credentials)
    else {
      return nil
    }
    call.isFrom(principal)
    return principal
  }

  /// Creates the response to missing or wrong credentials: 401, or 429 after too many wrong credentials from the address or for the
  /// session. Counts wrong credentials.
  func unauthorized(_ call: Call, _ credentials: Credentials, _ detail: String) -> Rejection {
    if credentials != .none {
      do throws(RateLimiter.Refusal) {
        try limiter.failure(from: call.address, of: call.hasSessionID ? call.parameter : nil)
      } catch {
        return refused(error, call)
      }
    }
    return Rejection(.unauthorized, detail, headers: Self.challenge)
  }

  /// Returns the calling operator. Throws 401 for missing or wrong credentials (429 after too many), and 403 for a token in the form of a
  /// session's secret. `what` is the subject of the error message.
  @discardableResult func requireOperator(_ call: Call, for what: String) throws(Rejection) -> Principal {
    let credentials = Credentials(call.request.headers)
    if let principal = principal(of: credentials, call) { return principal }
    // A token in the form of a session's secret is a credential of another role (403). Any other token is a wrong key (401).
    guard credentials.looksLikeSecret else {
      throw unauthorized(call, credentials, "\(what) requires an operator's key: Authorization: Bearer …")
    }
    throw Access.operatorOnly(what)
  }

  /// Whether the caller is an operator; `false` if the request has no credentials. Throws if the credentials are not an operator's key.
  func isOperator(_ call: Call) throws(Rejection) -> Bool {
    let credentials = Credentials(call.request.headers)
    if credentials == .none { return false }
    if principal(of: credentials, call) != nil { return true }
    throw unauthorized(call, credentials, "the key is not an operator's key; to create a session without one, omit Authorization")
  }

  static func operatorOnly(_ what: String) -> Rejection { Rejection(.operatorOnly, "\(what) requires an operator's key") }
}
