import CairnCore

// Responds to the HTTP requests that the session sends, in the way the service handles responses.
extension ScenarioRun {
  /// Responds to the oldest load or message. The clock advances until the request is sent and its response arrives. If the request ends
  /// earlier, for example because its node is removed, the response has no effect. Throws if neither a load nor a message is running.
  mutating func take(_ answer: HTTPAnswer) throws(Refusal) -> Played {
    guard let effect = state.effects.first(where: { $0.isRequest && !$0.isExchange && !($0.isMessage && $0.isIdle) }) else {
      throw Refusal(.effectGone, "no request is running")
    }
    var plan = calls[effect.id] ?? CallPlan()
    let now = state.manualTime ?? 0
    let leaves = max(now, plan.time(of: effect))
    let time = plan.leave(effect, at: leaves)
    let isLate = answer.after >= time
    let wait = leaves - now + min(answer.after, time)
    var played = Played(outcome: "unchanged")
    if wait > 0 { played.add(try take(.advance(wait))) }
    guard state.effects.contains(where: { $0.id == effect.id }) else { return played }
    let end = state.manualTime ?? 0
    // An attempt that failed temporarily or timed out is repeated if the definition declares retries or polling for the request.
    if isLate || CallFailure.passes(answer.status), plan.again(effect, at: end, wait: nil) {
      calls[effect.id] = plan
      // The response itself changed nothing, regardless of what happened before it arrived.
      played.outcome = "unchanged"
      played.reason = nil
      return played
    }
    let result =
      isLate
      ? RequestAnswer.End.failed(CallLimit.timeout) : answer.end(of: effect, hasToken: state.facts[FactDefinition.accessToken] != nil)
    played.add(try take(.answer(RequestAnswer(result, of: effect.id))))
    plan.goOn(effect, at: end)
    calls[effect.id] = plan
    return played
  }
}

extension HTTPAnswer {
  /// Returns the end of the effect after this response: loaded with the body, or failed with a reason.
  fileprivate func end(of effect: Effect, hasToken hasTokenNow: Bool) -> RequestAnswer.End {
    let (url, bearer, hasToken, terms): (String, Bool, Bool, CallTerms?)
    switch effect.work {
    case .request(let target, let sendsToken, _, _, _, let given): (url, bearer, hasToken, terms) = (target, sendsToken, hasTokenNow, given)
    case .message(let message): (url, bearer, hasToken, terms) = (message.url, message.bearer, message.hasToken, message.terms)
    case .timer, .value, .exchange: return .failed(CallFailure.notJSON)
    }
    if bearer, !hasToken { return .failed(CallFailure.noToken) }
    let isSecret = bearer || terms?.hasSecrets ?? false
    if isSecret, !PlainHTTP.mayCarrySecrets(url) { return .failed(CallFailure.insecure) }
    guard (200..<300).contains(status) else { return .failed(CallFailure.text(of: status)) }
    guard let body else {
      let mayBeEmpty = status == 204 || terms.map { $0.method != .get } ?? false
      return mayBeEmpty ? .loaded(.null) : .failed(CallFailure.notJSON)
    }
    var writer = JSONWriter()
    body.write(to: &writer)
    let size = (try? writer.bytes().count) ?? 0
    return size > CallLimit.size ? .failed(CallFailure.tooLarge()) : .loaded(body)
  }
}
