// Replaces a state by another state without an action.
extension Reducer {
  /// Replaces a state by an earlier one of the same session, as a new revision. The tree, the facts and the content are restored. The token, the
  /// login, the clock, the state of the app and the highest action numbers of clients are kept.
  ///
  /// The timers that close overlays are started again, because an overlay without its timer would never close. The timers that are due at a
  /// moment are started again with the same moment. If it has passed, the timer is due at once. The inactivity timers start again. Other
  /// effects of the earlier state that are still running continue, and all others are cancelled without their `else`. Messages and their
  /// known keys are kept. Held links of the earlier state that are still held stay held, and all others are removed. The same applies to
  /// held actions. An OAuth state that was used after the earlier state does not become valid again. `self` belongs to the definition of
  /// the earlier state, and `other` to the definition of the current state.
  public func restore(_ past: State, in state: inout State, of other: Reducer, stamp: Stamp) -> Transition {
    var next = past
    (next.revision, next.nextNode) = (state.revision, state.nextNode)
    next.manualTime = state.manualTime
    next.manualRequests = state.manualRequests
    #if !CLIENT_ENGINE
      next.clientBook = state.clientBook
    #endif
    next.loginBook = state.loginBook
    let links = state.pendingLinks.filter { link in past.pendingLinks.contains { $0.id == link.id } }
    next.linkBook = LinkBook(held: links, next: state.nextLink)
    next.questionBook.next = max(next.questionBook.next, state.questionBook.next)
    next.facts[FactDefinition.accessToken] = state.facts[FactDefinition.accessToken]
    // If the current definition lacks these facts, only the earlier state contains them.
    for name in FactDefinition.ofApp.keys where program.isOfApp(name) { next.facts[name] = state.facts[name] ?? past.facts[name] }
    next.leftForeground = state.leftForeground
    next.leftForegroundByClient = state.leftForegroundByClient
    // An undo neither ends messages nor sends them again.
    #if !CLIENT_ENGINE
      next.messageBook = state.messageBook
      next.heldActions = state.heldActions.filter { held in past.heldActions.contains { $0.id == held.id } }
    #endif
    let running = state.effects.filter { effect in effect.isMessage || past.effects.contains { $0.id == effect.id } }
    // Contains all effects of the earlier state, because the cancellation below ends the loading of their nodes' content.
    next.effectBook = EffectBook(
      running: past.effects.filter { effect in !effect.isMessage && !running.contains { $0.id == effect.id } } + running,
      next: state.nextEffect)
    let restarted = past.effects.filter { effect in (effect.closes || effect.isMoment) && !running.contains { $0.id == effect.id } }
    for node in past.nodes.values where node.authorization != nil && state.nodes[node.id]?.authorization != node.authorization {
      var node = node
      node.authorization = nil
      next.nodes[node.id] = node
    }
    var run = Run(program, state: next, stamp: stamp, meter: .idle)
    Effects.cancel(&run) { effect in !running.contains { $0.id == effect.id } }
    for effect in restarted { run.state.effectBook.restart(effect, at: effect.isMoment ? effect.start : stamp.time) }
    Effects.followCover(&run)
    #if !CLIENT_ENGINE
      run.followTime(isOfClient: true)
    #endif
    Logins.endLostRequest(&run, "undone")
    _ = run.takeEdits()
    run.state.revision += 1
    var transition = Transition(
      outcome: .performed, eventList: run.report.events, changes: changes(from: state, by: other, to: run.state))
    transition.started = run.state.effectsStarted(since: state)
    transition.cancelled = state.effectsOver(in: run.state)
    state = run.state
    return transition
  }

  /// The first state of a new session that begins as a copy of a state, at `time` in milliseconds since 1970. Its clock is manual, and its requests are
  /// answered manually, so that a copy has no effect outside the service. It has no token and no login.
  public func forked(_ state: State, at time: WideInt) -> State {
    var next = withoutSecrets(state)
    next.revision = 1
    next.manualTime = time
    next.manualRequests = true
    #if !CLIENT_ENGINE
      next.clients = []
    #endif
    // A copy sends no message. It keeps the results of the messages that have ended.
    next.effectBook = EffectBook(running: next.effects.filter { !$0.isMessage }, next: next.nextEffect)
    return next
  }

  /// The state without a token and a login. Token requests end without a result, and no rule runs.
  public func withoutSecrets(_ state: State) -> State {
    var next = state
    next.facts[FactDefinition.accessToken] = nil
    next.loginBook = LoginBook()
    for node in state.nodes.values where node.authorization != nil {
      var node = node
      node.authorization = nil
      next.nodes[node.id] = node
    }
    let running = state.effects.filter { !$0.isExchange }.map { effect in
      // The copies of the token in messages are secrets too.
      guard case .message(var message) = effect.work else { return effect }
      var effect = effect
      message.hasToken = false
      effect.work = .message(message)
      return effect
    }
    next.effectBook = EffectBook(running: running, next: state.nextEffect)
    return next
  }

  /// The changes by which a client turns the tree of `before`, a state of another definition, into the tree of `after`, a state of this
  /// definition. Names and metadata have no change of their own, so the whole tree is sent if any of them differs.
  package func changes(from before: State, by other: Reducer, to after: State) -> [Change] {
    let tree = tree(of: after)
    var played = other.tree(of: before)
    let changes = changes(from: before, to: after)
    return played.play(changes) && played == tree ? changes : [.replace(at: before.root, node: tree)]
  }
}
