// The effect of each kind of action, and the conditions under which it may be posted.

extension Run {
  /// Performs the action itself, without the turns of the steps that it queues. Returns the reason if nothing has changed, otherwise `nil`.
  /// If it throws, the caller discards the run.
  mutating func begin(_ action: Action) throws(Refusal) -> NoChange? {
    switch action {
    case .step(let step, let from): return try PostedSteps.post(&self, step, from: from)
    case .gesture(let gesture, let from): return try Gestures.perform(&self, gesture, from: from)
    case .cancel(let link): try HeldLinks.letGo(&self, link)
    case .cancelQuestion(let question): try Questions.cancel(&self, question)
    case .appState(let activity): try AppActivity.set(&self, activity)
    case .open(let url): try Links.open(&self, url)
    case .contact:
      #if !CLIENT_ENGINE
        HeldActions.noteContact(&self)
      #endif
      return .received
    case .tick(let node, let step, let tick): return try Ticks.perform(&self, tick, of: node, sending: step)
    default: return try beginInService(action)
    }
    return nil
  }

  /// Performs an action whose consequences no client can predict, or that only operators may post.
  private mutating func beginInService(_ action: Action) throws(Refusal) -> NoChange? {
    // The engine of a client does not run these actions, and loads faster without their code.
    #if !CLIENT_ENGINE
      switch action {
      case .login(let hasCode, let oauthState, let error, let byOperator):
        try Logins.begin(&self, hasCode: hasCode, oauthState: oauthState, error: error, byOperator: byOperator)
      case .logout: Logins.logout(&self)
      case .token: Logins.tokenArrived(&self)
      case .facts(let values): try Facts.set(&self, facts: values)
      case .notification(let url, let category, let tap, let appState, let message):
        return try Notifications.take(&self, url: url, category: category, tap: tap, appState: appState, message)
      case .advance(let time): state.manualTime = max(time, state.manualTime ?? time)
      case .effect(let id, let completion):
        isEndOfEffect = true
        try EffectEnds.complete(&self, id, completion)
      case .push, .present, .set, .remove: return try Primitives.perform(&self, action)
      case .retry(let key): return try Messages.retry(&self, key)
      case .cancelHeld(let held): try HeldActions.cancel(&self, held)
      case .settled(let action): return try HeldActions.post(&self, action)
      case .step, .gesture, .cancel, .cancelQuestion, .appState, .open, .contact, .tick: break
      }
    #endif
    return nil
  }
}

extension Action {
  /// Whether the engine of a client can predict the effect of an action of this kind. Only the service has tokens, codes, notifications, times and the results
  /// of loads, and only operators change the tree directly.
  var isPredictable: Bool {
    switch self {
    case .step, .open, .gesture, .appState, .cancel, .cancelQuestion, .contact, .tick: true
    default: false
    }
  }
}

extension Reducer {
  /// The kinds of actions, other than steps, that may be posted in this state, in the order in which they are sent to clients.
  func kindsAccepted(in state: State) -> [Action.Kind] {
    let end = state.visibleEnd?.nodeID ?? state.root
    var kinds: [Action.Kind] = []
    let back = Gestures.back(state, by: Evaluator(program: program, stamp: Stamp(judging: state)), at: GestureOrigin(front: state))
    if case .pop = back { kinds += [.pop, .popTo, .popToRoot] }
    if state.frontLayer != state.root { kinds.append(.dismiss) }
    if back != nil || GuardedGestures(state, in: program).asksBeforeExit { kinds.append(.back) }
    let outwards = state.ancestors(of: end, acrossModals: definition.covered == .accept).compactMap { state.nodes.record($0) }
    if outwards.contains(where: { ($0.rules?.selectableCount(of: $0) ?? 0) > 0 }) { kinds.append(.select) }
    kinds.append(.token)
    if definition.oauth != nil { kinds.append(.login) }
    if state.facts[FactDefinition.accessToken] != nil { kinds.append(.logout) }
    if state.hasPendingLinks || state.isAsking { kinds.append(.cancel) }
    if program.tellsAppState { kinds.append(.appState) }
    if state.manualTime != nil { kinds.append(.advance) }
    if state.manualRequests, state.effects.contains(where: { $0.isRequest }) { kinds.append(.answer) }
    if !program.clientFacts.isEmpty { kinds.append(.facts) }
    return kinds
  }

  /// All actions of a kind that `kindsAccepted` returns, such as a `select` for each tab. Empty for a kind whose actions contain data from
  /// outside, such as the URL of `open`.
  package func actions(of kind: Action.Kind, in state: State) -> [Action] {
    switch kind {
    case .pop: [.pop(count: 1, node: nil)]
    case .popTo: screensBehind(in: state).map { .popTo(.screen($0)) }
    case .popToRoot: [.popToRoot]
    case .dismiss: [.dismiss(node: nil)]
    case .back: [.back]
    case .select: (0..<tabCount(in: state)).map { .select(.tab($0), node: nil) }
    case .logout: [.logout]
    case .cancel: state.pendingLinks.map { .cancel(link: $0.id) } + (state.question.map { [.cancelQuestion($0.id)] } ?? [])
    case .appState:
      Action.Activity.allCases.filter { .string($0.rawValue) != state.facts[FactDefinition.appState] }.map { .appState($0) }
    default: []
    }
  }
}
