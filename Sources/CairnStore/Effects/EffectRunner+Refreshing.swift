import CairnCore
import CairnJournal

// Handles loads that wait for a fresh token. The refresh itself is an effect of the session. The commit that starts this effect also claims
// the refresh, so only one of several nodes refreshes the token.
extension EffectRunner {
  /// Retries a load after a 401 response: at once if the session has a newer token by now, otherwise after a refresh. Returns whether the
  /// load is retried. Each load causes the refresh of at most one token.
  func isFreshTokenTried(_ key: EffectKey, in batch: inout Batch) -> Bool {
    // Unreported: the error is ignored here. The end of the load, which follows, reads the session again.
    guard let staged = try? parts.find(key.session, in: &batch), staged.session.state.facts[FactDefinition.accessToken] != nil,
      let effect = staged.session.state.effects.first(where: { $0.id == key.effect }), case .request(_, true, _, _, _, _) = effect.work,
      let token = schedule.token(of: key)
    else { return false }
    if token != staged.session.state.tokenWrites {
      ask(key)
      return true
    }
    guard canRefresh(key.session), schedule.noteRefresh(key, of: token) else { return false }
    waiting.add(key, token: token)
    refresh(key, token: token, in: &batch)
    return true
  }

  /// Continues a waiting load. Sends it again if the session has another token by now; otherwise starts a refresh, unless one is running.
  /// `token` is the value of `State.tokenWrites` that identifies the expired token.
  func refresh(_ key: EffectKey, token: Int, in batch: inout Batch) {
    let job = EffectJob(key, .refresh(token: token))
    guard waiting.contains(key) else { return }
    // Unreported: the error is ignored here. The job runs again until the session can be read. Requests for the session report the error.
    guard let staged = try? parts.find(key.session, in: &batch) else { return deferred.add(job) }
    let state = staged.session.state
    guard schedule.contains(key), state.effects.contains(where: { $0.id == key.effect }) else { return waiting.remove(key) }
    // If the session was outdated, or its changes are not written, the job runs again.
    batch.retain(job)
    if state.tokenWrites != token || state.facts[FactDefinition.accessToken] == nil {
      waiting.remove(key)
      return ask(key)
    }
    if state.isRefreshing {
      waiting.add(key, token: token, isCommitted: staged.effects.contains(where: \.isRefresh))
      // A commit of this node wakes the load. A commit of another node is detected when the job runs again.
      return nodes.commitDecides ? deferred.add(job) : ()
    }
    if waiting.isCommitted(key) {
      // The refresh has ended without a token, for a temporary reason.
      waiting.remove(key)
      return parts.mailbox.deliver(EffectJob(key, .ended(.interrupted(CallFailure.notRefreshed, wait: nil))))
    }
    var meter = Meter(parts.limits.bounds)
    do {
      _ = try staged.perform(
        Sealed(.effect(id: key.effect, .tokenExpired)), now: parts.clock.now(), nonce: parts.nonce(), meter: &meter)
    } catch {
      waiting.remove(key)
      return parts.mailbox.deliver(EffectJob(key, .ended(.failed("refused: \(error.code.rawValue)"))))
    }
    batch.keep(staged)
  }

  /// Records that a session was committed. If its refresh has ended, wakes the loads that wait for it.
  func wakeWaiting(for session: Session) {
    guard !waiting.isEmpty else { return }
    let loads = waiting.commit(session.id)
    guard !session.state.isRefreshing else { return }
    for (key, token) in loads { parts.mailbox.deliver(EffectJob(key, .refresh(token: token))) }
  }

  private func canRefresh(_ session: String) -> Bool {
    // Unreported: the error is ignored. If the token cannot be read, the load fails with its 401, which is logged.
    guard let text = try? parts.sessions.secret(.token, of: session) else { return false }
    return SessionToken(text: text).refresh != nil
  }
}

extension State {
  /// Whether the session's token is being refreshed.
  var isRefreshing: Bool { effects.contains(where: \.isRefresh) }
}
