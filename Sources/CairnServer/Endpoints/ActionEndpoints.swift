import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

/// Endpoints that post actions to a session, and that predict the effects of actions.
final class ActionEndpoints: Sendable {
  let store: Store
  let access: Access
  let responses: SessionResponses
  let once: OnceReplies
  let posting: Posting
  let telemetry: Telemetry

  init(
    _ store: Store, _ access: Access, _ responses: SessionResponses, _ once: OnceReplies, _ posting: Posting, _ telemetry: Telemetry
  ) {
    self.store = store
    self.access = access
    self.responses = responses
    self.once = once
    self.posting = posting
    self.telemetry = telemetry
  }

  func postActions(_ call: Call) throws(Rejection) {
    var query = QueryReader(call.request.query)
    let isPlan = query.read(Query.plan) ?? false
    try query.end()
    let credentials = Credentials(call.request.headers)
    if let session = try access.cachedSession(call, credentials, toWrite: !isPlan) {
      return try act(on: session, as: .session, isPlan: isPlan, call)
    }
    access.withSession(call, credentials) { session, role throws(Rejection) in try self.act(on: session, as: role, isPlan: isPlan, call) }
  }

  private func act(on session: Session, as role: Role, isPlan: Bool, _ call: Call) throws(Rejection) {
    let posted = try call.body { body throws(BodyFault) -> PostedActions in
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
    let made = definition(request.definition, of: request.commands, on: session, as: role)
    let style = responses.style(of: call, on: session, isArray: request.isArray, isPlan: isPlan)
    try posting.submit(request.commands, madeFor: made, style, to: session, as: role, call)
  }

  /// Returns the definition for which the actions were made. This is `named` if the request names a definition. Otherwise it is the
  /// session's definition, if a client posts the actions and some of them may require an operator. Returns `nil` if the actions may run
  /// under any definition.
  func definition(_ named: String?, of commands: [Command], on session: Session, as role: Role) -> ClientDefinition? {
    if let named { return ClientDefinition(named, byOperator: role == .operator) }
    // Facts and steps are validated when the request runs. By then the session may have moved to another definition, in which facts and
    // steps may have other names.
    guard role != .operator, commands.contains(where: session.definition.definition.mayRequireOperator) else { return nil }
    return ClientDefinition(session.definition.hash, byOperator: false)
  }
}
