import CairnAPI
package import CairnCore
import CairnHTTP
import CairnRuntime
import CairnStore

// Endpoints that create, show and end a session.
extension Service {
  func createSession(_ call: Call) throws(Rejection) {
    try withNewestDefinitions(call) { () throws(Rejection) in try self.startSession(call) }
  }

  private func startSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    if settings.creation == .operatorOnly { try requireOperator(call, for: "starting a session") }
    let isOperator = try isOperator(call)
    let request = try body(of: call) { body throws(BodyFault) in try CreationRequest(body) }
    if store.isShared, publisher.isRefused(request.app) {
      throw rejection(StoreFault.storage("this version of Cairn cannot read the newest definition of the app"))
    }
    guard let served = catalog[request.app] else { throw unknownApp(request.app) }
    if let scenario = request.scenario {
      guard isOperator else { throw Self.operatorOnly("starting a session at the end of a scenario") }
      return try start(at: scenario, served, request, call)
    }
    guard let hash = request.definition, hash != served.hash else {
      return try start(request, with: request.definition == nil ? nil : served, served, call)
    }
    store.definition(hash) { result in
      do throws(Rejection) {
        guard let named = try result.mapError({ self.rejection($0) }).get(), named.definition.app == request.app else {
          throw Rejection(.definitionGone, "the app \(request.app) has no definition with the hash \(hash.prefix(12)) any more")
        }
        try self.start(request, with: named, served, call)
      } catch {
        call.reject(error)
      }
    }
  }

  /// Creates a session from a request. `named` is the definition that the request names, if any.
  private func start(_ request: CreationRequest, with named: PinnedDefinition?, _ served: PinnedDefinition, _ call: Call) throws(Rejection)
  {
    let key = try IdempotencyKey(call.request.headers)
    try key?.requireSecrecy()
    let starter: Derivation.Starter = try isOperator(call) ? .operator : .anyone
    let derived = key.map { derivation.session($0, by: starter, call.request) }
    let id = derived?.id ?? Identity.sessionID()
    let (secret, print) = (derived?.secret ?? Identity.secret(), derived?.print)
    if let named { return try start(request, with: named, id, secret: secret, print: print, call) }
    try withDefinition(for: request.label, id, served, call) { pinned throws(Rejection) in
      try self.start(request, with: pinned, id, secret: secret, print: print, call)
    }
  }

  /// Creates a session of a definition from a request.
  private func start(
    _ request: CreationRequest, with pinned: PinnedDefinition, _ id: String, secret: String, print: Fingerprint?, _ call: Call
  ) throws(Rejection) {
    let isOperator = try isOperator(call)
    if !isOperator, let facts = request.facts, let what = pinned.definition.operatorsPart(ofSetting: facts) {
      throw Self.operatorOnly(what)
    }
    guard isOperator || (!request.isManualRequests && request.environment == nil) else {
      throw Self.operatorOnly(request.isManualRequests ? "answering requests by hand" : "setting the environment")
    }
    let arrival = try command(request.arrival, pinned.definition)
    let message = try message(request.arrival, pinned.definition, call)
    // This check reserves a slot, so it comes after all other checks of the request.
    if !isOperator {
      do throws(RateLimiter.Refusal) {
        try limiter.creation(from: call.address)
      } catch {
        throw refused(error, call)
      }
    }
    let creation = Creation(
      hasToken: request.accessToken != nil, facts: request.facts ?? [:],
      environment: variables(of: pinned.definition, given: request.environment),
      manualClock: request.isManualClock, manualRequests: request.isManualRequests)
    let new = NewSession(
      id: id, definition: pinned, label: request.label, secretHash: Identity.hash(secret),
      creation: creation, accessToken: request.accessToken, arrival: arrival,
      message: message, origin: call.origin)
    let url = Self.linkPointer(request.arrival, pinned.definition)
    start(new, print: print, secret: secret, url: url, call)
  }

  /// Creates a session, under an idempotency key if `print` is its request's fingerprint. `result` is the outcome for the log.
  func start(
    _ new: NewSession, print: Fingerprint?, secret: String, url: String = "/open", result word: String = "created", _ call: Call
  ) {
    let preferences = preferences(of: call, app: new.definition.definition.app)
    if let print { return start(new, print: print, secret: secret, url: url, word, preferences, call) }
    let isOperator = call.operatorName != nil
    store.create(new) { result in
      switch result {
      case .failure(let fault):
        if !isOperator { self.limiter.failed(from: call.address) }
        call.reject(self.rejection(fault))
      case .success(let created):
        if !isOperator { self.limiter.started(created.session.id, from: call.address) }
        call.started(created.session.identity)
        call.reached(created.session.state.revision)
        var headers = self.location(of: created)
        if let addition = preferences.addition { headers.add("Preference-Applied", addition.rawValue) }
        let head = headers
        self.withPredictions(of: created.session, preferences.addition, call) { predictions in
          call.answer(
            status: 201, headers: head, result: word,
            LazyBody {
              var body = self.body(of: created, secret: secret, url: url)
              self.add(preferences.addition, predictions, to: &body, of: created.session)
              return body
            })
        }
      }
    }
  }

  /// Creates a session with an idempotency key. The session's secret is derived from the key and is not part of the stored response.
  private func start(
    _ new: NewSession, print: Fingerprint, secret: String, url: String, _ outcome: String, _ preferences: Preferences, _ call: Call
  ) {
    let last = Lock<Session?>(nil)
    let creation = KeyedCreation(new, print: print) { created in
      if preferences.addition != nil { last.withLock { $0 = created.session } }
      call.started(created.session.identity)
      call.reached(created.session.state.revision)
      let body = self.body(of: created, secret: secret, url: url)
      let (response, word) = call.response(status: 201, headers: self.location(of: created), result: outcome) { pretty in
        try JSONText.bytes(body, pretty: pretty)
      }
      return (RenderedAnswer(response, without: secret), word ?? "")
    }
    store.create(creation) { (result: Result<GivenAnswer, StoreFault>) in
      if call.operatorName == nil {
        if case .success(let given) = result, !given.isReplay {
          self.limiter.started(new.id, from: call.address)
        } else {
          self.limiter.failed(from: call.address)
        }
      }
      guard let session = last.withLock({ $0 }) else { return self.give(call, result, secret: secret) }
      self.withPredictions(of: session, preferences.addition, call) { predictions in
        let completion = AnswerCompletion(applied: preferences.addition?.rawValue ?? "") {
          (predictions, preferences.addition == .replica ? self.replica(of: session) : nil)
        }
        self.give(call, result, secret: secret, completedBy: completion)
      }
    }
  }

  func showSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let revision = query.read(Query.revision)
    let preferences = Preferences(call.request.headers)
    let poll = LongPoll(&query, preferences)
    try query.end()
    let credentials = Credentials(call.request.headers)
    // The most frequent request is answered without allocating a closure.
    if revision == nil, let session = try cachedSession(call, credentials) {
      return try show(session, call, poll, as: .session(allowed(preferences, session.app).addition))
    }
    withSession(call, credentials) { session, _ throws(Rejection) in
      guard let revision else { return try self.show(session, call, poll, as: .session(self.allowed(preferences, session.app).addition)) }
      self.store.session(session.id, at: revision, while: call.isWanted) { result in
        do throws(Rejection) {
          try self.show(try result.mapError { self.rejection($0) }.get(), call, nil, as: .session(nil))
        } catch {
          call.reject(error)
        }
      }
    }
  }

  /// The JSON of a session. Without indentation it is encoded only once per revision.
  func bytes(of session: Session, pretty: Bool = false) throws -> [UInt8] {
    if pretty { return try JSONText.bytes(body(of: session), pretty: true) }
    return try session.rendering.bytes { try JSONText.bytes(self.body(of: session)) }
  }

  /// The same with an addition. With predictions it runs on a reader's thread.
  func bytes(of session: Session, with addition: Addition, pretty: Bool = false) throws -> [UInt8] {
    func bytes(pretty: Bool) throws -> [UInt8] {
      var body = body(of: session)
      add(addition, addition == .predictions ? predictions(from: .session(session)) : nil, to: &body, of: session)
      return try JSONText.bytes(body, pretty: pretty)
    }
    guard addition == .predictions, !pretty else { return try bytes(pretty: pretty) }
    return try session.predictedRendering.bytes { try bytes(pretty: false) }
  }

  /// Adds what clients need that show an action before it is answered.
  private func add(_ addition: Addition?, _ predictions: [PredictionBody]?, to body: inout SessionBody, of session: Session) {
    switch addition {
    case .predictions: body.predictions = predictions
    case .replica: body.replica = replica(of: session)
    case nil: break
    }
  }

  func showStack(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let poll = LongPoll(&query, Preferences(call.request.headers))
    try query.end()
    withSession(call) { session, _ throws(Rejection) in
      try self.show(session, call, poll, as: .stack)
    }
  }

  func deleteSession(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    withSession(call) { session, _ throws(Rejection) in
      self.store.delete(session.id, matching: try self.expectedRevisions(of: call)) { result in
        switch result {
        case .failure(let fault): call.reject(self.rejection(fault))
        case .success:
          self.limiter.ended(session.id)
          call.answer(Response(status: 204), result: "deleted")
        }
      }
    }
  }

  /// The environment variables that a definition names, with their current values or those in `given`. They do not include the OAuth client's
  /// secret.
  func variables(of definition: Definition, given: [String: String]? = nil) -> [String: String] {
    Self.variables(of: definition) { name in if let given { given[name] } else { settings.environment(name) } }
  }

  /// The environment variables that a definition names, as `value` returns them.
  package static func variables(of definition: Definition, _ value: (String) -> String?) -> [String: String] {
    var names = definition.facts.values.compactMap(\.environment)
    if let oauth = definition.oauth { names += oauth.publicVariables }
    return names.reduce(into: [:]) { $0[$1] = value($1) }
  }

  private func command(_ arrival: CreationRequest.Arrival?, _ definition: Definition) throws(Rejection) -> Command? {
    switch arrival {
    case nil: return nil
    case .open(let url): return .open(url: url)
    case .notification(let payload):
      do throws(BodyFault) {
        return try NotificationRequest(payload).command(definition.notifications, tap: true, appState: .killed)
      } catch {
        guard case .invalid(let faults) = error else { throw Rejection(Problem(error)) }
        var inner = Faults()
        for fault in faults { inner.append(.init(pointer: "/notification\(fault.pointer)", detail: fault.detail)) }
        throw Rejection(Problem(.invalid(inner)))
      }
    }
  }

  private func unknownApp(_ name: String) -> Rejection {
    let hint =
      NearestName.of(name, among: catalog.names).map { "did you mean \($0)?" } ?? "known are \(catalog.names.joined(separator: ", "))"
    return Rejection(
      .unknownApp, "there is no app \"\(name.prefix(64))\" here; \(hint)", errors: [.init("is unknown; \(hint)", pointer: "#/app")])
  }

  private func location(of created: Created) -> Headers {
    var headers = Self.tag(created.session.tag)
    headers.add("Location", "/v1/sessions/\(created.session.id)")
    addEngine(to: &headers, for: created.session)
    return headers
  }

  /// The JSON pointer to the link of a cold start in the request's body.
  private static func linkPointer(_ arrival: CreationRequest.Arrival?, _ definition: Definition) -> String {
    guard case .notification(let payload)? = arrival else { return "/open" }
    return "/notification" + ((try? NotificationRequest(payload).linkPointer(definition.notifications)) ?? "")
  }

  private func body(of created: Created, secret: String, url: String) -> SessionBody {
    var body = body(of: created.session)
    body.secret = secret
    switch created.opened {
    case nil: break
    case .success(let performed): body.opened = .performed(ActionBody(performed.transition, revision: performed.revision))
    case .failure(let refusal): body.opened = .refused(Problem(refusal, url: url))
    }
    return body
  }

  /// The path with a query that contains the items whose value is not `nil`.
  static func path(_ path: String, _ items: [(name: String, value: String?)]) -> String {
    let given = items.compactMap { item in item.value.map { "\(item.name)=\(PercentCoding.encode($0))" } }
    return given.isEmpty ? path : "\(path)?\(given.joined(separator: "&"))"
  }

  /// The response's body for a session.
  func body(of session: Session) -> SessionBody { SessionBody(session, sessionTTL: settings.sessionTTL) }
}

extension SessionBody {
  /// The body for a session. `sessionTTL` is the time to live in milliseconds if the definition has none.
  init(_ session: Session, sessionTTL: Int?) {
    self.init(
      id: session.id, app: session.app, definition: session.definition.hash, label: session.label, createdAt: session.createdAt,
      updatedAt: session.updatedAt, state: session.state, reducer: session.definition.reducer)
    expiresAt = session.expiresAt(sessionTTL)
  }
}
