import CairnAPI
import CairnCore
import CairnHTTP
import CairnRuntime
import CairnStore

// Endpoints that change a session: actions, links, notifications.
extension Service {
  func postActions(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    let credentials = Credentials(call.request.headers)
    if let session = try cachedSession(call, credentials, toWrite: !isPlan) {
      return try act(on: session, as: .session, isPlan: isPlan, call)
    }
    withSession(call, credentials) { session, role throws(Rejection) in try self.act(on: session, as: role, isPlan: isPlan, call) }
  }

  private func act(on session: Session, as role: Role, isPlan: Bool, _ call: Call) throws(Rejection) {
    let posted = try body(of: call) { body throws(BodyFault) -> PostedActions in
      NumberedRequest.isMeant(body)
        ? .numbered(try NumberedRequest(body, byOperator: role == .operator))
        : .plain(try ActionRequest(body, byOperator: role == .operator))
    }
    switch posted {
    case .plain(let request): try act(request, on: session, as: role, isPlan: isPlan, call)
    case .numbered(let request): try actNumbered(request, on: session, as: role, isPlan: isPlan, call)
    }
  }

  private func act(_ request: ActionRequest, on session: Session, as role: Role, isPlan: Bool, _ call: Call) throws(Rejection) {
    let made = definition(request.definition, setsFacts: request.setsFacts, of: session, as: role)
    let style = style(of: call, on: session, isArray: request.isArray, isPlan: isPlan)
    try submit(request.commands, madeFor: made, style, to: session, as: role, call)
  }

  /// The definition for which actions were made; `named` is the one that they name. `nil` if it does not matter.
  func definition(_ named: String?, setsFacts: @autoclosure () -> Bool, of session: Session, as role: Role) -> ClientDefinition? {
    if let named { return ClientDefinition(named, byOperator: role == .operator) }
    // Facts are checked when the request runs. If the session has moved until then, they have other names.
    guard role != .operator, setsFacts() else { return nil }
    return ClientDefinition(session.definition.hash, byOperator: false)
  }

  func openLink(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    withSession(call) { session, role throws(Rejection) in
      let request = try self.body(of: call) { body throws(BodyFault) in try OpenRequest(body) }
      let style = self.style(of: call, on: session, isPlan: isPlan)
      try self.submit([.open(url: request.url)], style, to: session, as: role, call)
    }
  }

  func postNotification(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let appState = query.read(Query.appState) ?? .background
    let tap = query.read(Query.tap) ?? true
    let action = query.read(Query.button)
    let reply = query.read(Query.reply)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    withSession(call) { session, role throws(Rejection) in
      let request = try self.body(of: call, isFile: true) { body throws(BodyFault) in
        try NotificationRequest(body.value, action: action, reply: reply)
      }
      let notifications = session.definition.definition.notifications
      let command = try Self.taken { () throws(BodyFault) in try request.command(notifications, tap: tap, appState: appState) }
      let style = self.style(of: call, on: session, isPlan: isPlan, url: request.linkPointer(notifications))
      try self.submit(
        [command], style, to: session, as: role, call,
        message: try self.message(request, notifications, tap: tap, call))
    }
  }

  /// Performs or plans the commands. `message` is the fingerprint of the notification that they come from, if any.
  private func submit(
    _ commands: [Command], madeFor made: ClientDefinition? = nil, _ style: PostStyle, to session: Session, as role: Role, _ call: Call,
    message: Fingerprint? = nil
  ) throws(Rejection) {
    let expected = try expectedRevisions(of: call)
    if style.isPlan { return try plan(commands, madeFor: made, style, to: session, matching: expected, message: message, call) }
    if let name = try IdempotencyKey(call.request.headers) {
      let key = derivation.request(name, role, call.request)
      return post(.commands(commands, madeFor: made, message: message), style, to: session.id, matching: expected, key, call)
    }
    store.post(commands, madeFor: made, to: session.id, matching: expected, message: message, origin: call.origin) { result in
      switch result {
      case .success(let posted):
        self.countSuppressions(of: posted)
        call.reached(posted.session.state.revision)
        self.withPredictions(of: posted.session, style, call) { predictions in
          call.answer { PostAnswer(posted, style, predictions: predictions) }
        }
      case .failure(let fault):
        if fault.isSuppression { self.telemetry.suppressed() }
        self.refuse(call, self.rejection(fault, isArray: style.isArray, url: style.url), session: session.id)
      }
    }
  }

  /// Performs the work of a request under an idempotency key. The stored response has neither predictions nor the difference of the state.
  func post(
    _ work: Post.Work, _ style: PostStyle, to session: String, matching expected: [RevisionTag]?, _ key: RequestKey, _ call: Call
  ) {
    var stored = style
    (stored.preferences.predicts, stored.preferences.wantsReplica) = (false, false)
    // The commands run again if another node was first. The last result counts.
    let last = Lock<Posted?>(nil)
    let once = Once(key) { [stored] result, session in
      if style.preferences.addition != nil { last.withLock { $0 = try? result.get() } }
      return self.rendered(result, session, call, stored)
    }
    store.post(Post(work, to: session, matching: expected, origin: call.origin), once: once) { result in
      guard let posted = last.withLock({ $0 }) else { return self.give(call, result) }
      self.withPredictions(of: posted.session, style, call) { predictions in
        let completion = AnswerCompletion(applied: style.preferences.applied ?? "") {
          let replica = style.isArray ? nil : posted.performed.last.flatMap { style.replica(of: $0, by: posted.session.definition.reducer) }
          return (predictions, replica)
        }
        self.give(call, result, completedBy: completion)
      }
    }
  }

  /// The response to performed commands. Counts the notifications that were not shown.
  func answer(to posted: Posted, _ style: PostStyle) -> PostAnswer {
    countSuppressions(of: posted)
    return PostAnswer(posted, style)
  }

  func countSuppressions(of posted: Posted) {
    for performed in posted.performed where performed.transition.tells(.notificationSuppressed) { telemetry.suppressed() }
  }

  /// Rejects a post. A problem with status 409 also lists what the session accepts now, unless the session cannot be read.
  private func refuse(_ call: Call, _ rejection: Rejection, session: String) {
    guard rejection.problem.status == 409 else { return call.reject(rejection) }
    store.session(session) { result in
      var rejection = rejection
      if case .success(let session) = result { rejection.problem.accepts = session.definition.reducer.accepts(session.state) }
      call.reject(rejection)
    }
  }
}
