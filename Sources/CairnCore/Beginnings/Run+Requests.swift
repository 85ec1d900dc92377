// Loads that go over HTTP: what they say beside a URL, those that are made again and again, and a token that is not good any more.
extension Run {
  /// Whose a load is: the nearest node of a screen or flow, or what its anchor means; nil: that is gone.
  func owner(_ anchor: Operation.Anchor, nearest name: String?, in performance: borrowing Performance) throws(Refusal) -> NodeID? {
    guard let name else { return anchored(anchor, in: performance) }
    guard let found = evaluator.holder(named: name, in: performance.scope, state) else {
      throw Refusal(.screenNotFound, "there is no \(name) to load for")
    }
    return found
  }

  /// What a request says beside its URL, worked out now; nil: it is a plain GET.
  mutating func terms(of request: LoadRequest, in scope: Scope) throws(Refusal) -> CallTerms? {
    var terms = CallTerms(
      method: request.method, variables: request.variables, timeout: request.timeout, retry: request.retry, polling: request.polling)
    if let body = request.body {
      // What is not there, and null, is no body.
      if let value = value(of: body, in: scope), value != .null {
        try meter.write(value, as: "the body of a load")
        terms.body = value
      }
    }
    for (name, expression) in request.headers.sorted(by: { $0.key < $1.key }) {
      guard let word = value(of: expression, in: scope)?.word else { continue }
      guard HeaderText.isValue(word) else {
        throw Refusal(.valueMismatch, "the header \(name) of a load would hold characters that a header cannot")
      }
      terms.headers[name] = word
    }
    terms.polling?.until = request.polling?.until.map { evaluator.partial($0, in: scope, state) }
    return terms.isPlain ? nil : terms
  }

  /// A result of a request that is made again and again; whether it was the last one. What is there already changes nothing.
  mutating func ends(_ polling: Polling, _ effect: Effect, with value: Value, then: StepTemplate?) throws(Refusal) -> Bool {
    var scope = Scope()
    scope.result = value
    if let until = polling.until, holds(until, in: scope) { return true }
    guard let owner = effect.owner, let record = state.nodes.record(owner) else { return true }
    let content = state.nodes.details(of: record).content
    if content?.status == .loaded, content?.value == value {
      reason = "same-result"
      return false
    }
    guard value.isWithinBounds else { return true }
    try meter.write(value, as: "the content of", state.nodes.name(of: record))
    state.nodes.setContent(Content(status: .loaded, value: value), of: owner)
    note(Event(.loadChanged, node: owner))
    // Without an end each result that is another one is the news.
    if polling.until == nil, let then { try sendThen(then, of: effect, with: value) }
    return false
  }

  /// The step that a result leads to; one whose params do not fit is dropped, for there will be another result.
  private mutating func sendThen(_ then: StepTemplate, of effect: Effect, with value: Value) throws(Refusal) {
    guard let owner = effect.owner, let record = state.nodes.record(owner), let flow = record.hearer else { return }
    var scope = Scope(emitter: state.emitter(record))
    scope.result = value
    do {
      try send(program.mold(then), as: .toParent, by: flow, emitter: state.emitter(record), otherwise: flow, scope: scope)
    } catch {
      drop(Step(then.step), error.code.rawValue)
    }
  }

  /// A load that went with the token was answered 401: said once for each token, to the root flow. Where there is no token any more, that is
  /// known already.
  mutating func tokenWasRefused(by reason: String) {
    guard let template = definition.unauthorized, CallFailure(reason).status == 401, state.facts[FactDefinition.accessToken] != nil,
      state.refusedToken != state.tokenWrites
    else { return }
    state.refusedToken = state.tokenWrites
    do {
      // A stepper of its own, as a rule is.
      try send(program.mold(template), as: .rule, by: nil, emitter: nil, otherwise: state.root, scope: Scope())
    } catch {
      drop(Step(template.step), error.code.rawValue)
    }
  }
}
