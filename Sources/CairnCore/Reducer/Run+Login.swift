// The token: present or absent, never its value.
extension Run {
  /// The OAuth redirect (RFC 6749, 4.1.2), or an operator's code. Its state must be the one of a living authorize URL.
  mutating func login(hasCode: Bool, oauthState: String?, error: String?, byOperator: Bool) throws(Refusal) {
    guard definition.oauth != nil else { throw Refusal(.oauthNotConfigured, "\(definition.app) has no oauth section") }
    if !byOperator || oauthState != nil {
      guard let oauthState, state.nodes.values.contains(where: { $0.authorization == oauthState }) else {
        let what = oauthState == nil ? "there is no state" : "the state is not that of a login page which is open"
        throw Refusal(.oauthStateMismatch, "\(what); open the login page and use the url that it carries")
      }
    }
    if let error {
      state.login = Login(status: .failed, reason: error)
      events.append(Event(.loginFailed, reason: error))
      return
    }
    guard hasCode else { throw Refusal(.oauthCodeMissing, "the redirect carries neither a code nor an error") }
    start(.exchange, owner: nil)
    state.login = Login(status: .requesting)
    events.append(Event(.loginRequested))
    isPending = true
  }

  /// A token was set or came in: also one that is equal to the old one is a change, and fires its rules.
  mutating func tokenArrived() {
    state.facts[FactDefinition.accessToken] = .bool(true)
    state.tokenWrites += 1
    state.login = Login(status: .loggedIn)
    turn.written.insert(FactDefinition.accessToken)
    events.append(Event(.loggedIn))
  }

  mutating func logout() {
    cancelEffects { if case .exchange = $0.work { true } else { false } }
    state.facts[FactDefinition.accessToken] = nil
    state.login = Login(status: .loggedOut)
    turn.written.insert(FactDefinition.accessToken)
    events.append(Event(.loggedOut))
    if let link = state.pendingLink {
      state.pendingLink = nil
      events.append(Event(.linkDropped, reason: "logout", url: link.url))
    }
  }
}
