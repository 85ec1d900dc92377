import CairnAPI
import CairnCore
import CairnHTTP
import CairnStore

// What moves a session: actions, links, notifications.
extension Service {
  func postActions(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    withSession(call) { session, role throws(Rejection) in
      let request = try self.body(of: call) { body throws(BodyFault) in try ActionRequest(body, byOperator: role == .operator) }
      if role != .operator { try self.checkFacts(of: request, in: session.definition.definition) }
      try self.submit(request.commands, isArray: request.isArray, to: session, as: role, call)
    }
  }

  /// Of facts a client sets those that are its own.
  private func checkFacts(of request: ActionRequest, in definition: Definition) throws(Rejection) {
    for (index, command) in request.commands.enumerated() {
      guard case .action(.facts(let set)) = command, let what = definition.operatorsPart(ofSetting: set) else { continue }
      var rejection = Self.operatorOnly(what)
      rejection.problem.index = request.isArray ? index : nil
      throw rejection
    }
  }

  func openLink(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    try query.end()
    withSession(call) { session, role throws(Rejection) in
      let request = try self.body(of: call) { body throws(BodyFault) in try OpenRequest(body) }
      try self.submit([.open(url: request.url)], to: session, as: role, call)
    }
  }

  func postNotification(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let appState = query.read(Query.appState) ?? .background
    let tap = query.read(Query.tap) ?? true
    let action = query.read(Query.button)
    let reply = query.read(Query.reply)
    try query.end()
    withSession(call) { session, role throws(Rejection) in
      let request = try self.body(of: call, isFile: true) { body throws(BodyFault) in try NotificationRequest(body.value) }
      let notifications = session.definition.definition.notifications
      let command = try Self.taken { () throws(BodyFault) in
        try request.command(notifications, tap: tap, appState: appState, action: action, reply: reply)
      }
      try self.submit(
        [command], to: session, as: role, call, url: request.linkPointer(notifications),
        message: try self.message(request, notifications, tap: tap || action != nil || reply != nil, call))
    }
  }

  /// `url`: where in the body the link stands, if it is not the member of that name; `message`: what the commands came by.
  private func submit(
    _ commands: [Command], isArray: Bool = false, to session: Session, as role: Role, _ call: Call, url: String = "/url",
    message: Fingerprint? = nil
  ) throws(Rejection) {
    let expected = try expectedRevisions(of: call)
    let isMinimal = call.request.headers.all("Prefer").contains { Preferences.askForMinimum($0) }
    let style = PostStyle(isArray: isArray, isMinimal: isMinimal, url: url)
    if let name = try IdempotencyKey(call.request.headers) {
      let key = derivation.request(name, role, call.request)
      let post = KeyedPost(commands, to: session.id, matching: expected, message: message, author: call.operatorName, key: key) {
        result, session in
        self.rendered(result, session, call, style)
      }
      return store.post(post) { self.give(call, $0) }
    }
    store.post(commands, to: session.id, matching: expected, message: message, author: call.operatorName) { result in
      switch result {
      case .success(let posted):
        let answer = self.answer(to: posted, style)
        call.answer(status: answer.status, headers: answer.headers, result: answer.result, answer.body)
      case .failure(let fault):
        if fault.isSuppression { self.telemetry.suppressed() }
        self.refuse(call, self.rejection(fault, isArray: isArray, url: url), session: session.id)
      }
    }
  }

  /// The answer to what commands did.
  func answer(to posted: Posted, _ style: PostStyle) -> PostAnswer {
    let transitions = posted.performed.map(\.transition)
    for event in transitions.flatMap(\.events) where event.type == .notificationSuppressed { telemetry.suppressed() }
    let isPending = transitions.contains { $0.outcome == .pending }
    var headers = Self.tag(posted.session.state.revision)
    if style.isMinimal { headers.set("Preference-Applied", "return=minimal") }
    let outcome = transitions.last?.outcome ?? .unchanged
    let result = transitions.last?.reason.map { "\(outcome.rawValue):\($0)" } ?? outcome.rawValue
    return PostAnswer(
      status: isPending ? 202 : 200, headers: headers, result: result,
      body: LazyBody { PostedBody(posted, isArray: style.isArray, isMinimal: style.isMinimal) })
  }

  /// A refusal says what can be posted now, as far as the session can be looked at.
  private func refuse(_ call: Call, _ rejection: Rejection, session: String) {
    guard rejection.problem.status == 409 else { return call.reject(rejection) }
    store.session(session) { result in
      var rejection = rejection
      if case .success(let session) = result { rejection.problem.accepts = session.definition.reducer.accepts(session.state) }
      call.reject(rejection)
    }
  }
}

/// The answer to one action or to an array of them.
struct PostedBody: JSONWritable {
  let posted: Posted
  let isArray: Bool
  let isMinimal: Bool

  init(_ posted: Posted, isArray: Bool, isMinimal: Bool) {
    self.posted = posted
    self.isArray = isArray
    self.isMinimal = isMinimal
  }

  func write(to writer: inout JSONWriter) {
    let session = posted.session
    let seen = Seen(session.state, session.definition.reducer, isMinimal: isMinimal)
    if !isArray, let only = posted.performed.first {
      ActionBody(only.transition, revision: only.revision, seen: seen).write(to: &writer)
    } else {
      let answers = posted.performed.map { ActionBody($0.transition, revision: $0.revision) }
      ActionsBody(revision: session.state.revision, answers: answers, seen: seen).write(to: &writer)
    }
  }
}
