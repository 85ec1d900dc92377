import CairnCore
import CairnJournal

// Runs the actions that end effects.
extension EffectRunner {
  /// Ends an effect with the action that `seal` returns for it. Does nothing if the effect has ended or was cancelled.
  func end(_ key: EffectKey, _ job: EffectJob, in batch: inout Batch, _ seal: (Effect, State) -> Sealed) {
    let staged: Staged
    do {
      guard let found = try parts.find(key.session, in: &batch) else { return schedule.forget(key) }
      staged = found
    } catch {
      parts.log(.effectDeferred(session: key.session, effect: key.effect, reason: "\(error)"))
      return deferred.add(job)
    }
    guard let effect = staged.session.state.upcoming.first(where: { $0.id == key.effect }) else {
      // The effect has ended, perhaps at another node. If the session in memory is outdated, the commit detects that, and the job runs again.
      schedule.forget(key)
      return nodes.commitDecides ? batch.retain(job) : ()
    }
    parts.bound(staged)
    let sealed = seal(effect, staged.session.state)
    if case .effect(_, .failed(let reason)) = sealed.action {
      parts.log(.callFailed(session: key.session, effect: key.effect, reason: reason))
    }
    do {
      try end(sealed, of: staged, key)
    } catch {
      parts.log(.effectRefused(session: key.session, effect: key.effect, code: error.code))
      return
    }
    if let polled = staged.session.state.effects.first(where: { $0.id == key.effect }), polled.terms?.polling != nil {
      schedule.goOn(key, at: staged.session.state.manualTime ?? parts.clock.now())
    }
    // The committed state did not change, so the next tick would not change it either. If links are held, the next tick may change the
    // state, because held links expire.
    if !staged.isWritten, effect.isRepeating, staged.session.state.pendingLinks.isEmpty { return schedule.rest(key) }
    batch.keep(staged)
    batch.retain(job)
  }

  /// Runs the action that ends an effect. If the reducer refuses the result of a call, the effect is ended as failed.
  private func end(_ sealed: Sealed, of staged: Staged, _ key: EffectKey) throws(Refusal) {
    var meter = Meter(parts.limits.bounds)
    var last = sealed
    if case .effect(let id, let completion) = sealed.action, completion.isResult {
      do {
        _ = try staged.perform(sealed, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter)
        return
      } catch  where error.code != .effectGone {
        parts.log(.effectRefused(session: key.session, effect: key.effect, code: error.code))
        last = Sealed(.effect(id: id, .failed("refused: \(error.code.rawValue)")))
        meter = Meter(parts.limits.bounds)
      }
    }
    if case .effect(_, .abandoned(let reason)) = try staged.end(last, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter) {
      parts.log(.effectAbandoned(session: key.session, effect: key.effect, reason: reason))
    }
  }

  /// The action that ends an effect with the result of its call.
  func sealed(_ result: OutboundResult, of effect: Effect, _ key: EffectKey, _ state: State) -> Sealed {
    switch result {
    case .json(let value) where !effect.isExchange: return effect.completed(with: value, for: state)
    case .tokens(let set) where effect.isExchange:
      let token = SessionToken(set, at: state.manualTime ?? parts.clock.now())
      return Sealed(.effect(id: effect.id, .exchanged), secret: .token(token.text))
    case .failed(let reason), .interrupted(let reason, _): return Sealed(.effect(id: effect.id, .failed(reason)))
    case .json, .tokens: return Sealed(.effect(id: effect.id, .failed("malformed: the response does not match the request")))
    }
  }
}

extension Action.Completion {
  /// Whether the completion is the successful result of a call, which the reducer may refuse.
  fileprivate var isResult: Bool {
    switch self {
    case .loaded, .exchanged: true
    case .due, .failed, .abandoned, .tokenExpired: false
    }
  }
}
