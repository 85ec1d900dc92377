/// Logins. The state only records whether there is a token, never its value.
enum Logins {
  /// Handles the OAuth redirect (RFC 6749, 4.1.2) or an operator's code. Its state must be that of an existing authorize URL.
  static func begin(_ run: inout Run, hasCode: Bool, oauthState: String?, error: String?, byOperator: Bool) throws(Refusal) {
    guard run.definition.oauth != nil else { throw Refusal(.oauthNotConfigured, "\(run.definition.app) has no oauth section") }
    if !byOperator || oauthState != nil {
      guard let oauthState, Logins.isOpen(run.state, authorization: oauthState) else {
        let what = oauthState == nil ? "there is no state" : "the state is not that of a login page which is open"
        throw Refusal(.oauthStateMismatch, "\(what); open the login page and use the url that it carries")
      }
    }
    if let error {
      return loginFailed(&run, error, status: .failed)
    }
    guard hasCode else { throw Refusal(.oauthCodeMissing, "the redirect carries neither a code nor an error") }
    try Limits.checkEffects(run)
    try Effects.start(&run, .exchange, owner: nil)
    run.state.loginBook.login = Login(status: .requesting)
    run.report.note(Event(.loginRequested))
    run.report.notePending()
  }

  /// Handles a failed token call. Another one may still be running, and an existing token remains (FX-20).
  static func exchangeFailed(_ run: inout Run, _ reason: String) {
    let isRequesting = run.state.effectBook.contains { if case .exchange = $0.work { true } else { false } }
    loginFailed(&run, reason, status: isRequesting ? .requesting : .failed)
  }

  private static func loginFailed(_ run: inout Run, _ reason: String, status: Login.Status) {
    let hasToken = run.state.facts[FactDefinition.accessToken] != nil
    run.state.loginBook.login = Login(status: status == .failed && hasToken ? .loggedIn : status, reason: reason)
    run.report.note(Event(.loginFailed, reason: reason))
  }

  /// Handles a new token. A token that equals the old one is a change, too, and fires its rules.
  static func tokenArrived(_ run: inout Run) {
    run.state.facts[FactDefinition.accessToken] = .bool(true)
    run.state.loginBook.noteToken()
    run.turns.note(written: FactDefinition.accessToken)
    run.report.note(Event(.loggedIn))
  }

  static func logout(_ run: inout Run) {
    Effects.cancel(&run) { if case .exchange = $0.work { true } else { false } }
    run.state.facts[FactDefinition.accessToken] = nil
    run.state.loginBook.login = Login(status: .loggedOut)
    run.turns.note(written: FactDefinition.accessToken)
    run.report.note(Event(.loggedOut))
    HeldLinks.dropAll(&run, "logout")
  }

  /// Handles the response 401 to a load that was sent with the current token. The root flow gets one step per token. If there is no token any more,
  /// it gets none.
  static func tokenWasRefused(_ run: inout Run, by reason: String) {
    guard let template = run.definition.unauthorized, CallFailure(reason).status == 401, run.state.facts[FactDefinition.accessToken] != nil,
      run.state.loginBook.noteRefusal()
    else { return }
    do {
      // The step has no sender, like that of a rule.
      try Sending.send(&run, run.program.compile(template), as: .rule, by: nil, emitter: nil, otherwise: run.state.root, scope: Scope())
    } catch {
      run.drop(Step(template.step), error.code.rawValue)
    }
  }

  /// Whether a node has an authorize URL with this OAuth state.
  static func isOpen(_ state: State, authorization: String) -> Bool {
    state.nodes.records.contains { state.nodes.storedDetails(of: $0)?.authorization == authorization }
  }
}
