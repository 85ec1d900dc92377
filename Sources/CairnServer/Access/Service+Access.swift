import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Authorization, and the checks that run before the store is read.
extension Service {
  static let challenge: Headers = ["WWW-Authenticate": "Bearer realm=\"cairn\""]

  /// Finds a session for an authorized caller, by credentials or by a ticket, and calls `next` with both.
  func withSession(_ call: Call, ticket: String?, _ next: @escaping @Sendable (Session, Principal) throws(Rejection) -> Void) {
    guard let ticket else {
      return withSession(call) { session, _ throws(Rejection) in try next(session, call.knownAsker ?? .session) }
    }
    guard call.hasSessionID else { return call.reject(noTicket(call)) }
    useTicket(ticket, for: call.parameter, call) { principal throws(Rejection) in
      guard let principal, principal.role == .session || self.settings.operators.holds(principal) else { throw self.noTicket(call) }
      call.isFrom(principal)
      self.withSession(of: principal, call, next)
    }
  }

  /// Reads the session for a caller whom a ticket has let in.
  private func withSession(
    of principal: Principal, _ call: Call, _ next: @escaping @Sendable (Session, Principal) throws(Rejection) -> Void
  ) {
    store.session(call.parameter) { result in
      do throws(Rejection) {
        switch result {
        case .success(let session):
          if principal.role == .session {
            do throws(RateLimiter.Refusal) {
              try self.limiter.request(of: session.id)
            } catch {
              throw self.refused(error, call)
            }
          }
          try next(session, principal)
        case .failure(.unknownSession) where principal.role == .session: throw self.noTicket(call)
        case .failure(let fault): throw self.rejection(fault)
        }
      } catch {
        call.reject(error)
      }
    }
  }

  /// The response to an invalid ticket. It counts as a wrong credential.
  func noTicket(_ call: Call) -> Rejection {
    unauthorized(call, .unreadable, "this ticket opens nothing: it is for one stream, once, within half a minute; buy another one")
  }

  /// Finds a session for an authorized caller, then calls `next` on any thread. A wrong secret and an unknown session get the same response
  /// after the same time (`Store.session(_:opens:)`).
  func withSession(_ call: Call, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void) {
    withSession(call, Credentials(call.request.headers), next)
  }

  /// The session of a request with the session's secret, if the session is in memory, as for most requests. Returns `nil` if the session is not
  /// in memory, the caller is an operator, or the secret is wrong; the caller then continues with `withSession`. Throws if the session's rate
  /// limit is exceeded. `toWrite` is set if the writer runs the request: the session may then be older than another node's changes.
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

  /// Records a caller with the session's secret, and counts the request. Throws if the session's rate limit is exceeded.
  private func letIn(_ call: Call, to session: Session) throws(Rejection) {
    call.isFrom(.session)
    do throws(RateLimiter.Refusal) {
      try limiter.request(of: session.id)
    } catch {
      throw refused(error, call)
    }
  }

  /// Finds a session with credentials that have already been read.
  func withSession(
    _ call: Call, _ credentials: Credentials, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void
  ) {
    let what = "this needs the session's secret, or an operator's key: Authorization: Bearer …"
    guard case .bearer = credentials else { return call.reject(unauthorized(call, credentials, what)) }
    guard call.hasSessionID else {
      return call.reject(principal(of: credentials, call) != nil ? rejection(.unknownSession) : unauthorized(call, credentials, what))
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
        case .failure(let fault): throw self.rejection(fault)
        }
      } catch {
        call.reject(error)
      }
    }
  }

  /// Finds a session for an operator.
  private func asOperator(_ call: Call, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void) {
    store.session(call.parameter) { result in
      do throws(Rejection) {
        try next(try result.mapError { self.rejection($0) }.get(), .operator)
      } catch {
        call.reject(error)
      }
    }
  }

  /// Authenticates an operator and records it in the call; `nil` if the credentials match no key. After too many wrong keys from an address,
  /// its keys are not checked, because they could be guesses. A session's secret is always checked, because it cannot be guessed.
  func principal(of credentials: Credentials, _ call: Call) -> Principal? {
    guard case .bearer = credentials, limiter.mayTry(from: call.address), let principal = settings.operators.principal(of: credentials)
    else {
      return nil
    }
    call.isFrom(principal)
    return principal
  }

  /// The response to missing or wrong credentials: 401, or 429 after too many wrong ones from the address or for the session.
  private func unauthorized(_ call: Call, _ credentials: Credentials, _ detail: String) -> Rejection {
    if credentials != .none {
      do throws(RateLimiter.Refusal) {
        try limiter.failure(from: call.address, of: call.hasSessionID ? call.parameter : nil)
      } catch {
        return refused(error, call)
      }
    }
    return Rejection(.unauthorized, detail, headers: Self.challenge)
  }

  /// The operator who calls. Throws if the caller is not an operator.
  @discardableResult func requireOperator(_ call: Call, for what: String) throws(Rejection) -> Principal {
    let credentials = Credentials(call.request.headers)
    if let principal = principal(of: credentials, call) { return principal }
    // A token in the form of a session's secret belongs to another role (403). Any other token is a wrong key (401).
    guard credentials.looksLikeSecret else {
      throw unauthorized(call, credentials, "\(what) needs an operator's key: Authorization: Bearer …")
    }
    throw Self.operatorOnly(what)
  }

  /// Whether the caller is an operator. Throws if credentials are given and are not an operator's key.
  func isOperator(_ call: Call) throws(Rejection) -> Bool {
    let credentials = Credentials(call.request.headers)
    if credentials == .none { return false }
    if principal(of: credentials, call) != nil { return true }
    throw unauthorized(call, credentials, "this is no operator's key; without any key a session can be started too")
  }

  static func operatorOnly(_ what: String) -> Rejection { Rejection(.operatorOnly, "\(what) needs an operator's key") }

  /// Parses the body as JSON and converts it with `make`. `isFile` is whether the body may be declared as a file's bytes.
  func body<Result>(
    of call: Call, isFile: Bool = false, as make: (JSONElement) throws(BodyFault) -> Result
  ) throws(Rejection) -> Result {
    guard MediaType.isJSON(call.request.headers, isFile: isFile) else {
      throw Rejection(
        .unsupportedMediaType, "the body must be application/json in UTF-8, not compressed",
        headers: ["Accept-Post": "application/json"])
    }
    return try Self.taken { () throws(BodyFault) in try JSONBody.read(call.request.body, make) }
  }

  /// The result of `read`. Converts its error to a problem.
  static func taken<Result>(_ read: () throws(BodyFault) -> Result) throws(Rejection) -> Result {
    do throws(BodyFault) {
      return try read()
    } catch {
      throw Rejection(Problem(error))
    }
  }

  /// The revisions that `If-Match` allows; `nil` if it allows any.
  func expectedRevisions(of call: Call) throws(Rejection) -> [RevisionTag]? {
    try tags("If-Match", of: call)?.revisions
  }

  /// Whether `If-None-Match` contains the tag of this revision, so the client already has it.
  func hasCopy(_ call: Call, of tag: RevisionTag) throws(Rejection) -> Bool {
    call.request.headers.has("If-None-Match") ? try hasCopy(call, of: tag.description) : false
  }

  /// Whether `If-None-Match` contains this entity tag.
  func hasCopy(_ call: Call, of tag: String) throws(Rejection) -> Bool {
    try tags("If-None-Match", of: call)?.match(tag) ?? false
  }

  /// The entity tags of a header field; `nil` if the request does not contain it. Throws if the field is malformed.
  func tags(_ field: StaticString, of call: Call) throws(Rejection) -> EntityTags? {
    let values = call.request.headers.all(field)
    guard !values.isEmpty else { return nil }
    guard let tags = EntityTags(values) else {
      throw Rejection(.badRequest, "\(field) must be * or a list of entity tags such as \"8-5f3a9c21\", in quotes")
    }
    return tags
  }

  /// Converts a store's fault to a response. The journal's error text is only logged.
  func rejection(_ fault: StoreFault, isArray: Bool = false, url: String = "/url") -> Rejection {
    if case .storage(let text) = fault { telemetry.storageFailed(text) }
    return Rejection(fault, isArray: isArray, url: url)
  }

  /// The `ETag` header of a revision, followed by other headers.
  static func tag(_ tag: RevisionTag, with others: Headers? = nil) -> Headers {
    var headers = Headers()
    // Reserves space for the headers that every response gets later, too.
    headers.reserve(192)
    tag.withQuoted { headers.add("ETag", legal: $0) }
    if let others { headers.add(others) }
    return headers
  }
}
