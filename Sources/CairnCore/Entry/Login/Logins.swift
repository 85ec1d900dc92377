/// Handles logins, logouts and tokens. The state contains whether a token exists, never its value.
enum Logins {
  /// Handles the OAuth redirect (RFC 6749, 4.1.2) or an operator's code. The OAuth state must belong to an existing login page; an operator
  /// may omit it. After an accepted redirect, the OAuth state is no longer valid (RFC 6749, 10.12; RFC 9700, 4.7.1). The page gets a new
  /// one, so that the user can try again. Throws `oauth-not-configured`, `oauth-state-mismatch` or `oauth-code-missing`.
  static func begin(_ run: inout Run, hasCode: Bool, oauthState: String?, error: String?, byOperator: Bool) throws(Refusal) {
    guard run.definition.oauth != nil else { throw Refusal(.oauthNotConfigured, "\(run.definition.app) has no oauth section") }
    let page = oauthState.flatMap { LoginPage(of: run.state, authorization: $0) }
    guard page != nil || byOperator && oauthState == nil else {
      let what =
        oauthState == nil
        ? "the redirect has no state" : "the redirect's state does not belong to an open login page, or has already been used"
      throw Refusal(.oauthStateMismatch, "\(what); open the login page and use its authorization URL")
    }
    guard hasCode || error != nil else { throw Refusal(.oauthCodeMissing, "the redirect has neither a code nor an error") }
    if error == nil { try Limits.checkEffects(run) }
    page?.renew(in: &run)
    if let error { return loginFailed(&run, error, status: .failed) }
    try Effects.start(&run, .exchange(.code), owner: nil)
    run.state.loginBook.login = Login(status: .requesting)
    run.report.note(Event(.loginRequested))
    run.report.notePending()
  }

  /// Handles a failed token exchange. Another exchange may still be running, and an existing token is kept.
  static func exchangeFailed(_ run: inout Run, _ reason: String) {
    let isRequesting = run.state.effectBook.contains { $0.isLogin }
    loginFailed(&run, reason, status: isRequesting ? .requesting : .failed)
  }

  static func loginFailed(_ run: inout Run, _ reason: String, status: Login.Status) {
    let hasToken = run.state.facts[FactDefinition.accessToken] != nil
    run.state.loginBook.login = Login(status: status == .failed && hasToken ? .loggedIn : status, reason: reason)
    run.report.note(Event(.loginFailed, reason: reason))
  }

  /// Records that a token was set or received. Even a token equal to the old one counts as a change and triggers rules.
  static func tokenArrived(_ run: inout Run) {
    // A running refresh is cancelled, because its result would replace the new token.
    Effects.cancel(&run) { $0.isRefresh }
    run.state.facts[FactDefinition.accessToken] = .bool(true)
    run.state.loginBook.noteToken()
    run.turns.note(written: FactDefinition.accessToken)
    run.report.note(Event(.loggedIn))
  }

  static func logout(_ run: inout Run) {
    Effects.cancel(&run) { $0.isExchange }
    run.state.facts[FactDefinition.accessToken] = nil
    run.state.loginBook.login = Login(status: .loggedOut)
    run.turns.note(written: FactDefinition.accessToken)
    run.report.note(Event(.loggedOut))
    HeldLinks.dropAll(&run, "logout")
  }

  /// Marks the login as failed if its token exchange has been cancelled, because no token will arrive. Does nothing while the exchange
  /// runs, or if no login is in progress.
  static func endLostRequest(_ run: inout Run, _ why: String) {
    guard run.state.login.status == .requesting, !run.state.effects.contains(where: { $0.isLogin }) else { return }
    run.state.login = Login(status: .failed, reason: why)
  }

  /// Handles a failed load with `bearer`. If it failed because of the session's token (a 401 response, or no usable token), sends the
  /// `unauthorized` step to the root flow, once per token. Does nothing if the load failed for another reason, or if the session has no
  /// token.
  static func tokenWasRefused(_ run: inout Run, by reason: String) {
    guard CallFailure(reason).isOfToken, run.state.facts[FactDefinition.accessToken] != nil else { return }
    reportRefusedToken(&run)
  }

  /// Sends the `unauthorized` step to the root flow, once per token.
  static func reportRefusedToken(_ run: inout Run) {
    guard let template = run.definition.unauthorized, run.state.loginBook.noteRefusal() else { return }
    do {
      // Like the step of a rule, the step has no sending flow.
      try Sending.send(&run, run.program.compile(template), as: .rule, by: nil, emitter: nil, otherwise: run.state.root, scope: Scope())
    } catch {
      run.drop(Step(template.step), error.code.rawValue)
    }
  }
}
