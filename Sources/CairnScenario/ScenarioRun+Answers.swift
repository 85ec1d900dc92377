import CairnCore

// A server's answers, read as the service reads them.
extension ScenarioRun {
  /// Answers the oldest request of a load. The clock advances until the request is sent and its response arrives; a request that times out
  /// before that has ended, and its response comes too late.
  mutating func take(_ answer: HTTPAnswer) throws(Refusal) -> Played {
    guard let effect = state.effects.first(where: { $0.isRequest && !$0.isExchange }) else {
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
    // An attempt of a request that is made again and again has a time of its own: then it is made again.
    if isLate || CallFailure.passes(answer.status), plan.again(effect, at: end, wait: nil) {
      calls[effect.id] = plan
      // The answer itself changed nothing, whatever happened until it came.
      played.outcome = "unchanged"
      played.reason = nil
      return played
    }
    let result = isLate ? RequestAnswer.End.failed(CallLimit.timeout) : answer.end(of: effect)
    played.add(try take(.answer(RequestAnswer(result, of: effect.id))))
    plan.goOn(effect, at: end)
    calls[effect.id] = plan
    return played
  }
}

extension HTTPAnswer {
  /// The end of a request's effect.
  fileprivate func end(of effect: Effect) -> RequestAnswer.End {
    guard case .request(let url, let bearer, _, _, _, let terms) = effect.work else { return .failed(CallFailure.notJSON) }
    let isSecret = bearer || terms.map { !$0.variables.isEmpty } ?? false
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
