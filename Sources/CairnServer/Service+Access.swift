import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// Who may do what, and what of a request is looked at before the store is asked.
extension Service {
  private static let challenge: Headers = ["WWW-Authenticate": "Bearer realm=\"cairn\""]

  /// Finds a session for one who may see it, then goes on, on any thread. A wrong secret and an unknown session answer alike.
  func withSession(_ call: Call, _ next: @escaping @Sendable (Session, Role) throws(Rejection) -> Void) {
    let credentials = Credentials(call.request.headers)
    let isOperator = credentials.match(settings.operatorKey)
    guard case .bearer = credentials else { return call.reject(Self.unauthorized) }
    guard call.hasSessionID else {
      return call.reject(isOperator ? rejection(.unknownSession) : Self.unauthorized)
    }
    store.session(call.parameter) { result in
      do throws(Rejection) {
        switch result {
        case .success(let session):
          let isOwner = credentials.match(session.secretHash)
          guard isOwner || isOperator else { throw Self.unauthorized }
          try next(session, isOperator ? .operator : .session)
        case .failure(.unknownSession) where !isOperator: throw Self.unauthorized
        case .failure(let fault): throw self.rejection(fault)
        }
      } catch {
        call.reject(error)
      }
    }
  }

  private static var unauthorized: Rejection {
    Rejection(
      .unauthorized, "this needs the session's secret, or the operator's key: Authorization: Bearer …", headers: challenge)
  }

  /// Throws unless the operator asks.
  func requireOperator(_ call: Call, for what: String) throws(Rejection) {
    let credentials = Credentials(call.request.headers)
    if credentials.match(settings.operatorKey) { return }
    // What looks like a session's secret is another role; anything else is no key at all.
    guard credentials.looksLikeSecret else {
      throw Rejection(.unauthorized, "\(what) needs the operator's key: Authorization: Bearer …", headers: Self.challenge)
    }
    throw Self.operatorOnly(what)
  }

  /// Whether the operator asks; credentials that are given and open nothing are refused.
  func isOperator(_ call: Call) throws(Rejection) -> Bool {
    let credentials = Credentials(call.request.headers)
    if credentials == .none { return false }
    if credentials.match(settings.operatorKey) { return true }
    throw Rejection(
      .unauthorized, "this is not the operator's key; without any key a session can be started too", headers: Self.challenge)
  }

  static func operatorOnly(_ what: String) -> Rejection { Rejection(.operatorOnly, "\(what) is the operator's alone") }

  /// What `make` reads in the JSON of a body. `isFile`: it may be declared as a file's bytes.
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

  /// What a reader makes of a body, or the problem that says why it does not.
  static func taken<Result>(_ read: () throws(BodyFault) -> Result) throws(Rejection) -> Result {
    do throws(BodyFault) {
      return try read()
    } catch {
      throw Rejection(Problem(error))
    }
  }

  /// The revisions that `If-Match` allows; nil: any.
  func expectedRevisions(of call: Call) throws(Rejection) -> [Int]? {
    let fields = call.request.headers.all("If-Match")
    guard !fields.isEmpty else { return nil }
    guard let tags = EntityTags(fields) else {
      throw Rejection(.badRequest, "If-Match must be * or a list of entity tags such as \"8\", in quotes")
    }
    return tags.revisions
  }

  /// Whether `If-None-Match` says that the client has this revision already.
  func hasCopy(_ call: Call, of revision: Int) throws(Rejection) -> Bool {
    let fields = call.request.headers.all("If-None-Match")
    guard !fields.isEmpty else { return false }
    guard let tags = EntityTags(fields) else {
      throw Rejection(.badRequest, "If-None-Match must be * or a list of entity tags such as \"8\", in quotes")
    }
    return tags.matchWeakly(revision)
  }

  /// A store's fault as an answer; what the journal said goes to the log alone.
  func rejection(_ fault: StoreFault, isArray: Bool = false, url: String = "/url") -> Rejection {
    if case .storage(let text) = fault { telemetry.storageFailed(text) }
    return Rejection(fault, isArray: isArray, url: url)
  }

  /// `ETag` of a revision.
  static func tag(_ revision: Int) -> Headers {
    var headers = Headers()
    // What every answer carries comes behind it.
    headers.reserve(6)
    headers.add("ETag", "\"" + String(revision) + "\"")
    return headers
  }
}
