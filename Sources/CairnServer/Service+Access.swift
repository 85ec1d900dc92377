import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Authorization, and the checks that run before the store is read.
extension Service {
  static let challenge: Headers = ["WWW-Authenticate": "Bearer realm=\"cairn\""]

  /// Finds a session for a caller that may see it, by credentials or by a ticket, and continues with the caller.
  func withSession(_ call: Call, ticket: String?, _ next: @escaping @Sendable (Session, Principal) throws(Rejection) -> Void) {
    guard let ticket else {
      return withSession(call) { session, _ throws(Rejection) in try next(session, call.knownAsker ?? .session) }
    }
    guard call.hasSessionID, let principal = tickets.use(ticket, for: call.parameter, isLook: call.method == .head),
      principal.role == .session || settings.operators.holds(principal)
    else { return call.reject(noTicket(call)) }
    call.isFrom(principal)
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

  /// The response to an invalid ticket.
  func noTicket(_ call: Call) -> Rejection {
    unauthorized(call, .unreadable, "this ticket opens nothing: it is for one stream, once, within half a minute; buy another one")
  }

  /// Finds a session for a caller that may see it, then continues, on any thread. A wrong secret and an unknown session get the same
  /// response, in the same time (`Store.session(_:opens:)`).
  func withSession(_ call: Call, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void) {
    withSession(call, Credentials(call.request.headers), next)
  }

  /// The session of a request that has its secret, if it is in memory, as for most requests. `nil`: use `withSession`, since the session is
  /// not in memory, or the caller is an operator or is not allowed. Throws if the session has too many requests.
  func cachedSession(_ call: Call, _ credentials: Credentials) throws(Rejection) -> Session? {
    guard credentials.looksLikeSecret, call.hasSessionID,
      let session = store.cached(call.parameter, opens: { credentials.match($0) })
    else { return nil }
    try letIn(call, to: session)
    return session
  }

  /// The request has the session's secret: it counts as one of its client's.
  private func letIn(_ call: Call, to session: Session) throws(Rejection) {
    call.isFrom(.session)
    do throws(RateLimiter.Refusal) {
      try limiter.request(of: session.id)
    } catch {
      throw refused(error, call)
    }
  }

  /// Finds a session with credentials that were read already.
  func withSession(
    _ call: Call, _ credentials: Credentials, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void
  ) {
    let what = "this needs the session's secret, or an operator's key: Authorization: Bearer …"
    guard case .bearer = credentials else { return call.reject(unauthorized(call, credentials, what)) }
    guard call.hasSessionID else {
      return call.reject(principal(of: credentials, call) != nil ? rejection(.unknownSession) : unauthorized(call, credentials, what))
    }
    // A text in the form of a secret may still be an operator's key; any other text cannot be a secret.
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

  /// The operator with these credentials, which the call then knows; `nil` if there is none. After too many wrong keys from an address its
  /// keys are not checked: they could be guesses. A session's secret cannot be guessed, and is always checked.
  func principal(of credentials: Credentials, _ call: Call) -> Principal? {
    guard case .bearer = credentials, limiter.mayTry(from: call.address), let principal = settings.operators.principal(of: credentials)
    else {
      return nil
    }
    call.isFrom(principal)
    return principal
  }

  /// 401; or 429, when wrong credentials were given too often.
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

  /// Throws unless an operator asks.
  func requireOperator(_ call: Call, for what: String) throws(Rejection) {
    let credentials = Credentials(call.request.headers)
    if principal(of: credentials, call) != nil { return }
    // A text in the form of a session's secret is another role's credential; any other text is no key at all.
    guard credentials.looksLikeSecret else {
      throw unauthorized(call, credentials, "\(what) needs an operator's key: Authorization: Bearer …")
    }
    throw Self.operatorOnly(what)
  }

  /// Whether an operator asks; credentials that are given and open nothing are refused.
  func isOperator(_ call: Call) throws(Rejection) -> Bool {
    let credentials = Credentials(call.request.headers)
    if credentials == .none { return false }
    if principal(of: credentials, call) != nil { return true }
    throw unauthorized(call, credentials, "this is no operator's key; without any key a session can be started too")
  }

  static func operatorOnly(_ what: String) -> Rejection { Rejection(.operatorOnly, "\(what) needs an operator's key") }

  /// The result of `make` for the JSON of a body. `isFile`: the body may be declared as a file's bytes.
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

  /// The result of reading a body, or the problem with the reason of its failure.
  static func taken<Result>(_ read: () throws(BodyFault) -> Result) throws(Rejection) -> Result {
    do throws(BodyFault) {
      return try read()
    } catch {
      throw Rejection(Problem(error))
    }
  }

  /// The revisions that `If-Match` allows; nil: any.
  func expectedRevisions(of call: Call) throws(Rejection) -> [RevisionTag]? {
    try tags("If-Match", of: call)?.revisions
  }

  /// Whether `If-None-Match` says that the client has this revision already.
  func hasCopy(_ call: Call, of tag: RevisionTag) throws(Rejection) -> Bool {
    call.request.headers.has("If-None-Match") ? try hasCopy(call, of: tag.description) : false
  }

  /// The same of what is known by another word.
  func hasCopy(_ call: Call, of tag: String) throws(Rejection) -> Bool {
    try tags("If-None-Match", of: call)?.matchWeakly(tag) ?? false
  }

  /// The entity tags of a field; nil: it is not given.
  func tags(_ field: StaticString, of call: Call) throws(Rejection) -> EntityTags? {
    let values = call.request.headers.all(field)
    guard !values.isEmpty else { return nil }
    guard let tags = EntityTags(values) else {
      throw Rejection(.badRequest, "\(field) must be * or a list of entity tags such as \"8-5f3a9c21\", in quotes")
    }
    return tags
  }

  /// A store's fault as a response; the journal's text is only logged.
  func rejection(_ fault: StoreFault, isArray: Bool = false, url: String = "/url") -> Rejection {
    if case .storage(let text) = fault { telemetry.storageFailed(text) }
    return Rejection(fault, isArray: isArray, url: url)
  }

  /// `ETag` of a revision, and other fields behind it.
  static func tag(_ tag: RevisionTag, with others: Headers? = nil) -> Headers {
    var headers = Headers()
    // Room for the fields of every response, too.
    headers.reserve(192)
    tag.withQuoted { headers.add("ETag", legal: $0) }
    if let others { headers.add(others) }
    return headers
  }
}
