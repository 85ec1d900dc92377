/// Refreshes of the session's token (RFC 6749, 6). The state contains only whether a refresh is running.
enum Refreshes {
  /// Starts a refresh unless one is running. All loads of the session wait for the same refresh.
  static func start(_ run: inout Run) throws(Refusal) {
    guard run.state.facts[FactDefinition.accessToken] != nil, !run.state.effectBook.contains(where: { $0.isRefresh }) else { return }
    try Effects.start(&run, .exchange(.refresh), owner: nil)
  }

  /// Records the new token. No rule runs, because the user remains logged in.
  static func succeeded(_ run: inout Run) { run.state.loginBook.tokenWrites += 1 }

  /// Ends the login if the provider has rejected the refresh token. After a temporary failure the token is kept, and the next load tries again.
  static func failed(_ run: inout Run, _ reason: String) {
    guard !isTemporary(reason), run.state.facts[FactDefinition.accessToken] != nil else { return }
    Logins.reportRefusedToken(&run)
    run.state.facts[FactDefinition.accessToken] = nil
    run.turns.note(written: FactDefinition.accessToken)
    Logins.loginFailed(&run, reason, status: .failed)
  }

  private static func isTemporary(_ reason: String) -> Bool {
    let failure = CallFailure(reason)
    if let status = failure.status { return CallFailure.passes(status) || status >= 500 }
    return [CallLimit.timeout, CallFailure.unreachable, "server_error", "temporarily_unavailable"].contains(failure.reason)
  }
}
