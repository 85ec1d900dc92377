import CairnCore
import CairnJournal
import CairnRuntime

/// Runs the effects of committed states: schedules timers, and makes and cancels calls. Used on the writer's thread only.
final class EffectRunner {
  let parts: StoreParts
  let deferred: DeferredJobs
  let nodes: any NodeSessions
  var schedule = EffectSchedule()
  var caller: Caller
  /// The effects that were taken over from other nodes and are not scheduled yet, by session.
  private var taken: [String: Set<Int>] = [:]
  /// The loads that wait for a newer token than their expired one.
  var waiting = WaitingLoads()

  /// The time of the next claim of effects, in milliseconds since 1970; `nil` if no other node uses the journal.
  private(set) var claimTime: Int?
  init(_ parts: StoreParts, _ deferred: DeferredJobs) {
    self.parts = parts
    self.deferred = deferred
    nodes = parts.nodes
    caller = Caller(parts.outbound, limit: parts.limits.calls)
  }

  /// Claims the effects that are due within the lease, unless another running node has claimed them.
  func claim() throws(JournalError) {
    let time = parts.clock.now() + parts.limits.lease
    for session in try parts.journal.writer.claimEffects(until: time) {
      schedule.expect(session.id, at: session.due)
      if let effects = session.effects { taken[session.id, default: []].formUnion(effects) }
    }
    claimTime = nodes.nextClaim(after: parts.clock.now(), lease: parts.limits.lease)
  }

  /// Claims the effects that other nodes no longer run, and cancels this node's calls whose effects other nodes have ended.
  func lookAtOtherNodes() {
    do {
      try claim()
    } catch {
      claimTime = parts.clock.now() + parts.limits.retry
    }
    giveUpEndedCalls()
  }

  /// Schedules the effects that a commit started, and cancels those that it ended. `isCommit` is `false` if the session was only read.
  /// `only` contains the ids of the effects to schedule if other nodes run the rest; `nil` means all effects.
  func follow(_ session: Session, from before: [Effect], isGone: Bool = false, isCommit: Bool = true, only: Set<Int>? = nil) {
    guard !before.isEmpty || !session.state.upcoming.isEmpty else { return }
    let (call, gone) = schedule.follow(
      session.id, from: before, to: isGone ? nil : session.state, at: session.updatedAt, isShared: nodes.commitDecides && isCommit,
      only: only)
    for key in gone {
      caller.giveUp(key)
      waiting.remove(key)
    }
    if isCommit, !isGone { wakeWaiting(for: session) }
    for key in call { ask(key) }
  }

  /// Reads a session whose effects have not been read since the start, and schedules them.
  func wake(_ id: String) {
    do {
      let only = taken[id]
      if let session = try nodes.newestForEffects(id) { follow(session, from: [], isCommit: false, only: only) }
      taken[id] = nil
    } catch {
      // A session that this version cannot read is marked as damaged and not tried again, so that it does not block others.
      if error.isDamage {
        if parts.damaged.mark(id, reason: "\(error)") { parts.log(.sessionUnreadable(session: id, reason: "\(error)")) }
        return
      }
      schedule.expect(id, at: parts.clock.now() + parts.limits.retry)
    }
  }

  /// Queues the call of an effect.
  func ask(_ key: EffectKey) {
    // Unreported: the error is ignored here. An unreadable session is reported when the call is about to be sent.
    let session = try? parts.committed.toWrite(key.session)
    let effect = session?.state.effects.first { $0.id == key.effect }
    let url: String? =
      switch effect?.work {
      case .request(let url, _, _, _, _, _): url
      case .message(let message): message.url
      case .exchange: session?.definition.definition.oauth?.tokenEndpoint.value(in: session?.state.environment ?? [:])
      case .timer, .value, nil: nil
      }
    caller.ask(key, at: CallPlace(app: session?.app ?? "", host: OutboundCall.host(of: url), session: key.session))
  }

  /// Cancels the running calls whose effects another node has ended. Waiting calls are checked when they are about to be sent.
  func giveUpEndedCalls() {
    let keys = caller.running
    guard !keys.isEmpty else { return }
    nodes.refresh(Array(Set(keys.map(\.session))))
    for key in keys {
      do throws(JournalError) {
        let effects = try parts.committed.toWrite(key.session)?.state.upcoming ?? []
        if effects.contains(where: { $0.id == key.effect }) { continue }
      } catch {
        // A session that cannot be read now is read again in the next round.
        continue
      }
      schedule.forget(key)
      caller.giveUp(key)
    }
  }

  /// Sends waiting calls until the limits on running calls are reached. A call to an upstream whose calls are paused (`Breaker`) is not sent, and ends as
  /// interrupted.
  func send() {
    while let key = caller.next() {
      let mailbox = parts.mailbox
      do {
        guard let call = try call(key) else {
          caller.end(key)
          continue
        }
        if let wait = caller.rest(of: key, at: parts.clock.now()) {
          caller.end(key)
          mailbox.deliver(EffectJob(key, .ended(.interrupted(CallFailure.resting, wait: wait))))
          continue
        }
        caller.send(call, for: key) { result in mailbox.deliver(EffectJob(key, .ended(result))) }
      } catch {
        caller.end(key)
        parts.log(.effectDeferred(session: key.session, effect: key.effect, reason: "\(error)"))
        deferred.add(EffectJob(key, .again))
      }
    }
  }

  /// Returns the request of an effect. Returns `nil` if the effect has ended, if its load must wait for a fresh token, or if the effect fails without a call.
  /// Such a failure is sent to the writer.
  private func call(_ key: EffectKey) throws(JournalError) -> OutboundCall? {
    guard let session = try nodes.newestForEffects(key.session),
      let effect = session.state.effects.first(where: { $0.id == key.effect })
    else {
      schedule.forget(key)
      return nil
    }
    let time = session.state.manualTime ?? parts.clock.now()
    let token = try parts.sessions.secret(.token, of: key.session).map { SessionToken(text: $0) }
    switch effect.work {
    case .timer, .value: return nil
    case .request(let url, let bearer, _, _, _, let terms):
      if bearer {
        guard token?.isUsable ?? false else { return fail(key, CallFailure.noToken) }
        // Each load causes the refresh of at most one token. If the next token has expired too, it is sent nevertheless.
        let number = session.state.tokenWrites
        if session.state.isRefreshing || token?.needsRefresh(at: time) ?? false && schedule.noteRefresh(key, of: number) {
          waiting.add(key, token: number)
          parts.mailbox.deliver(EffectJob(key, .refresh(token: number)))
          return nil
        }
      }
      let left = schedule.leave(key, at: time, token: session.state.tokenWrites)
      guard left > 0 else { return fail(key, CallLimit.timeout) }
      var load = LoadCall(terms, url: url, bearer: bearer ? token?.access : nil, identity: session.identity(of: effect), time: left)
      if let terms, !terms.secrets.isEmpty, try !addSecrets(of: terms, to: &load, key.session) { return fail(key, CallFailure.secretGone) }
      return .load(load)
    case .message(let message): return try call(message, key, at: time)
    case .exchange(let grant):
      guard let oauth = session.definition.definition.oauth else {
        return fail(key, "oauth-not-configured: the definition has no oauth section")
      }
      let presented: TokenCall.Grant
      switch grant {
      case .code:
        // The code is empty if its encryption key was lost (`cairn key forget`).
        guard let text = try parts.sessions.secret(.code(effect: key.effect), of: key.session), !text.isEmpty else {
          return fail(key, "oauth-code-missing: the code of the login is missing")
        }
        let pending = PendingCode(text: text)
        presented = .code(pending.code, verifier: pending.verifier)
      case .refresh:
        guard let refresh = token?.refresh else { return fail(key, "\(CallFailure.noToken) and no refresh token") }
        presented = .refresh(refresh)
      }
      let bearer = oauth.sendsToken && token?.isUsable ?? false ? token?.access : nil
      return .token(TokenCall(oauth, environment: session.state.environment, presented, bearer: bearer))
    }
  }

  /// Returns the request of a message, with the access token that was current when the message was submitted. Returns `nil` if the message fails without a
  /// request. Such a failure is sent to the writer.
  private func call(_ message: Message, _ key: EffectKey, at time: Int) throws(JournalError) -> OutboundCall? {
    var bearer: String?
    if message.bearer {
      guard message.hasToken, let text = try parts.sessions.secret(.code(effect: key.effect), of: key.session),
        SessionToken(text: text).isUsable
      else { return fail(key, CallFailure.noToken) }
      bearer = text
    }
    let left = schedule.leave(key, at: time, token: 0)
    guard left > 0 else { return fail(key, CallLimit.timeout) }
    var load = LoadCall(message.terms, url: message.url, bearer: bearer, identity: message.header, time: left)
    if !message.terms.secrets.isEmpty, try !addSecrets(of: message.terms, to: &load, key.session) {
      return fail(key, CallFailure.secretGone)
    }
    return .load(load)
  }

  /// Inserts the texts of secret params into a request. Returns `false` if one of them is not stored.
  private func addSecrets(of terms: CallTerms, to load: inout LoadCall, _ session: String) throws(JournalError) -> Bool {
    let sessions = parts.sessions
    func text(_ number: Int) throws(JournalError) -> String? { try sessions.secret(.param(number), of: session) }
    load.hasSecretParams = true
    if let body = terms.body {
      guard let opened = try body.opened(text) else { return false }
      load.body = opened
    }
    for (name, number) in terms.sealedHeaders {
      guard let text = try text(number) else { return false }
      load.headers[name] = text
    }
    return true
  }

  /// Repeats a failed request if the failure is temporary and retries are left, or if a fresh token is tried after a 401 response. Returns
  /// whether the request is repeated.
  func isRepeated(_ key: EffectKey, _ result: OutboundResult, in batch: inout Batch) -> Bool {
    switch result {
    case .interrupted(let reason, let wait): return isTriedAgain(key, reason, wait, in: &batch)
    case .failed(CallLimit.timeout): return isTriedAgain(key, CallLimit.timeout, nil, in: &batch, ifPolling: true)
    case .failed(CallFailure.text(of: 401)): return isFreshTokenTried(key, in: &batch)
    case .failed, .json, .tokens: return false
    }
  }

  /// Schedules another attempt if retries are left, and returns whether it did. `ifPolling` allows only polling loads, whose timeout applies to each attempt.
  private func isTriedAgain(_ key: EffectKey, _ reason: String, _ wait: Int?, in batch: inout Batch, ifPolling: Bool = false) -> Bool {
    // Unreported: the error is ignored here. The end of the effect, which follows, reads the session again.
    guard let state = try? parts.find(key.session, in: &batch)?.session.state,
      !ifPolling || state.effects.contains(where: { $0.id == key.effect && $0.terms?.polling != nil }),
      schedule.again(key, at: state.manualTime ?? parts.clock.now(), wait: wait, nonce: parts.nonce())
    else { return false }
    parts.log(.callFailed(session: key.session, effect: key.effect, reason: "\(reason); the call will be repeated"))
    return true
  }

  /// Updates the statistics of outgoing calls if they have changed.
  func updateCallFigures() {
    guard let (counts, resting) = caller.takeNews() else { return }
    parts.figures.withLock { ($0.calls, $0.restingUpstreams) = (counts, resting) }
  }

  private func fail(_ key: EffectKey, _ reason: String) -> OutboundCall? {
    parts.mailbox.deliver(EffectJob(key, .ended(.failed(reason))))
    return nil
  }
}
