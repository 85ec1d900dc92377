import CairnCore

// Runs jobs and collects their changes in a batch. Committed states are not modified.
extension Writer {
  func create(_ new: NewSession, in batch: inout Batch) throws(StoreFault) -> Created {
    guard batch[new.id] == nil, try isNew(new.id) else { throw .storage("session id \(new.id) is already in use") }
    parts.library.remember(new.definition, for: parts.journal)
    let staged: Staged
    var meter = Meter(parts.limits.bounds)
    switch new.start {
    case .creation(let creation):
      do {
        staged = try Staged(
          new, creation, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter, hasSubscribers: parts.feed.isActive, parts.proofs,
          parts.hashKey)
      } catch {
        throw .refused(error, index: 0, revision: 0)
      }
    case .state(let state, let cause, let secrets):
      staged = Staged(new, state, cause, secrets, now: parts.clock.now(), nonce: parts.nonce(), parts.hashKey)
    case .imported(let imported): staged = Staged(imported, parts.hashKey)
    }
    staged.proofs = parts.proofs
    let transition = staged.born ?? Transition(outcome: .performed)
    let performed = Performed(revision: staged.session.state.revision, transition: transition)
    var opened: Result<Performed, Refusal>?
    if let arrival = new.arrival {
      staged.origin = new.origin
      defer { staged.origin = EntryOrigin() }
      opened = Result { () throws(Refusal) in try staged.perform(arrival, now: parts.clock.now(), nonce: parts.nonce(), meter: &meter) }
    }
    if let message = new.message, case .success(let performed)? = opened { note(message, of: [performed], staged) }
    batch.keep(staged)
    return Created(session: staged.session, performed: performed, opened: opened)
  }

  /// The session as changed by the batch so far, or else as committed; `nil` if it does not exist.
  func find(_ id: String, in batch: inout Batch) throws(StoreFault) -> Staged? {
    if let staged = batch[id] { return staged.isGone ? nil : staged }
    do {
      guard let session = try parts.committed(id, toWrite: true) else { return nil }
      let staged = Staged(session, hasSubscribers: parts.feed.isActive, parts.hashKey)
      staged.proofs = parts.proofs
      // The commit checks the version of every session that was read, because another node may have changed it.
      if isShared { batch.keep(staged) }
      return staged
    } catch {
      throw .storage("\(error)")
    }
  }

  /// Whether no session has this id.
  func isNew(_ id: String) throws(StoreFault) -> Bool {
    if isLeftToCommit(id) { return true }
    do {
      return try parts.journal.version(of: id) == nil
    } catch {
      throw .storage("\(error)")
    }
  }

  /// Whether it is left to the commit to find out that a new session exists already. Its conflict makes the request run again, and then it is looked up.
  func isLeftToCommit(_ id: String) -> Bool { isShared && !reruns.isRunning(id) }

  /// Runs the end of an effect. Ignored if the effect has ended or was cancelled.
  func end(_ key: EffectKey, _ job: EffectJob, in batch: inout Batch, _ seal: (Effect, State) -> Sealed) {
    let staged: Staged
    do {
      guard let found = try find(key.session, in: &batch) else { return schedule.forget(key) }
      staged = found
    } catch {
      parts.log(.effectDeferred(session: key.session, effect: key.effect, reason: "\(error)"))
      return postpone(job)
    }
    guard let effect = staged.session.state.upcoming.first(where: { $0.id == key.effect }) else {
      // Another node has ended the effect. If the session was outdated, the commit finds that out, and the job runs again.
      schedule.forget(key)
      return isShared ? batch.retain(job) : ()
    }
    bound(staged)
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
    // Nothing changed in the committed state, so the next tick would change nothing either. With held links ticks continue, because links expire.
    if !staged.isWritten, effect.isRepeating, staged.session.state.pendingLinks.isEmpty { return schedule.rest(key) }
    batch.keep(staged)
    batch.retain(job)
  }

  /// If the reducer refuses a result, the effect is ended as failed.
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

  /// The end of an effect by the result of its call.
  func sealed(_ result: OutboundResult, of effect: Effect, _ key: EffectKey, _ state: State) -> Sealed {
    switch result {
    case .json(let value) where !effect.isExchange: return Sealed(.effect(id: effect.id, .loaded(value)))
    case .tokens(let set) where effect.isExchange:
      let token = SessionToken(set, at: state.manualTime ?? parts.clock.now())
      return Sealed(.effect(id: effect.id, .exchanged), secret: .token(token.text))
    case .failed(let reason), .interrupted(let reason, _): return Sealed(.effect(id: effect.id, .failed(reason)))
    case .json, .tokens: return Sealed(.effect(id: effect.id, .failed("malformed: the response does not belong to the request")))
    }
  }
}

extension Effect {
  fileprivate var isRepeating: Bool {
    if case .timer(_, _, _, .some, _) = work { true } else { false }
  }
}

extension Action.Completion {
  /// Whether the completion carries data from outside.
  fileprivate var isResult: Bool {
    switch self {
    case .loaded, .exchanged: true
    case .due, .failed, .abandoned, .tokenExpired: false
    }
  }
}
