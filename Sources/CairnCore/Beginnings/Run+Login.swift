// The token: present or absent, never its value.
extension Run {
  /// The OAuth redirect (RFC 6749, 4.1.2), or an operator's code. Its state must be the one of a living authorize URL.
  mutating func login(hasCode: Bool, oauthState: String?, error: String?, byOperator: Bool) throws(Refusal) {
    guard definition.oauth != nil else { throw Refusal(.oauthNotConfigured, "\(definition.app) has no oauth section") }
    if !byOperator || oauthState != nil {
      guard let oauthState, state.nodes.carries(authorization: oauthState) else {
        let what = oauthState == nil ? "there is no state" : "the state is not that of a login page which is open"
        throw Refusal(.oauthStateMismatch, "\(what); open the login page and use the url that it carries")
      }
    }
    if let error {
      return loginFailed(error, status: .failed)
    }
    guard hasCode else { throw Refusal(.oauthCodeMissing, "the redirect carries neither a code nor an error") }
    try checkEffects()
    try start(.exchange, owner: nil)
    state.login = Login(status: .requesting)
    note(Event(.loginRequested))
    isPending = true
  }

  /// A token call failed: another may still be under way, and a token that is there stays (FX-20).
  mutating func exchangeFailed(_ reason: String) {
    let isRequesting = state.effects.contains { if case .exchange = $0.work { true } else { false } }
    loginFailed(reason, status: isRequesting ? .requesting : .failed)
  }

  private mutating func loginFailed(_ reason: String, status: Login.Status) {
    let hasToken = state.facts[FactDefinition.accessToken] != nil
    state.login = Login(status: status == .failed && hasToken ? .loggedIn : status, reason: reason)
    note(Event(.loginFailed, reason: reason))
  }

  /// A token was set or came in: also one that is equal to the old one is a change, and fires its rules.
  mutating func tokenArrived() {
    state.facts[FactDefinition.accessToken] = .bool(true)
    state.tokenWrites += 1
    state.login = Login(status: .loggedIn)
    turns.note(written: FactDefinition.accessToken)
    note(Event(.loggedIn))
  }

  mutating func logout() {
    cancelEffects { if case .exchange = $0.work { true } else { false } }
    state.facts[FactDefinition.accessToken] = nil
    state.login = Login(status: .loggedOut)
    turns.note(written: FactDefinition.accessToken)
    note(Event(.loggedOut))
    dropPendingLinks("logout")
  }
}
