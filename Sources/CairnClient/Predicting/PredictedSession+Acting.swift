import CairnAPI
public import CairnCore

extension PredictedSession {
  /// Posts an action, and shows its effect at once if the effect can be predicted. Returns the service's response.
  ///
  /// While the service cannot be reached, an action whose effect is shown waits, so the response may arrive much later. Any other action
  /// throws `unreachable` at once, unless `queue` is set. An action with a token or a code never waits; the secret params of a step are
  /// sealed first. If 2,000 actions already wait, or the first of them has waited for more than 14 days, a new action throws `unreachable`.
  /// Cancelling the task does not undo the action.
  ///
  /// A gesture refers to the node that is in front in the shown tree at the call. If that node is no longer visible when the gesture
  /// arrives, the gesture is refused.
  @discardableResult
  public func act(_ action: SessionAction, queue: Bool = false) async throws(ClientError) -> ActionAnswer {
    let result = await withCheckedContinuation { call in
      let bound = action.bound(to: tree)
      WaitingTimers.catchUp(self)
      begin(bound, queue) { call.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Sends a step from a screen; if `from` is `nil`, from the visible screen of the shown tree.
  @discardableResult
  public func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil, queue: Bool = false) async throws(ClientError)
    -> ActionAnswer
  {
    try await act(.step(name, params, from: from ?? RouteLayers(tree).front.content.speaker), queue: queue)
  }

  /// Shows the effect of an action if it can be predicted, and sends the action. `isQueued` is whether the action waits for the service
  /// even if its effect is not shown. `end` receives the response.
  func begin(_ action: SessionAction, _ isQueued: Bool, _ end: @escaping @Sendable (Result<ActionAnswer, ClientError>) -> Void) {
    if let obstacle = isOver ? .over : queue.obstacle(now: now()) { return end(.failure(obstacle)) }
    let secrecy = ActionSecrecy(replica: replica)
    var json = action.json
    if isOffline, let sealingKey {
      json = sealingKey.sealing(secrecy.secretParams(of: json), of: json, session: session.id, at: now()) ?? json
    }
    let isSecret = secrecy.hasSecret(json)
    // The posted form is computed before the action runs, because the action may remove the nodes that it names.
    let posted = names.naming(json, in: replica)
    let isStored = !isSecret && secrecy.mayStore(json)
    let isShown = put(action, posted, isSecret: isSecret, isStored: isStored, isKept: isQueued && !isSecret, definition: definition, end)
    guard isOffline, !isShown, let item = queue.last, !item.isKept else { return send() }
    queue.removeLast()
    _ = replica?.drop(item.number)
    let remedy = isSecret ? ", and an action that may contain a secret does not wait" : "; queue: true lets it wait"
    end(.failure(.unreachable("the client cannot predict the action\(remedy)")))
  }

  /// Numbers an action, runs it in the replica, and puts it at the end of the queue. In `posted`, names replace the ids of nodes that
  /// unconfirmed actions create. Returns whether the action's effect is shown; such an action waits while the service cannot be reached.
  @discardableResult
  func put(
    _ action: SessionAction, _ posted: Value, isSecret: Bool = false, isStored: Bool, isKept: Bool, definition: String,
    _ end: @escaping @Sendable (Result<ActionAnswer, ClientError>) -> Void
  ) -> Bool {
    let (number, at, seen) = (nextNumber, time, replica?.revision)
    nextNumber += 1
    // The replica cannot predict an action with a secret, so it does not receive the secret.
    let isShown = run(isSecret ? SessionAction.logout.json : posted, number: number, at: at, seen: seen)
    queue.append(
      QueuedAction(
        number: number, action: action, posted: QueuedAction.posted(posted, at: at, seen: seen), isKept: isShown || isKept,
        isStored: isStored,
        at: at,
        definition: definition, end: end))
    save()
    return isShown
  }

  /// Runs an action in the replica, and shows its effect. Returns `false` if the effect cannot be shown before the service has responded.
  func run(_ posted: Value, number: Int, at: Int, seen: Int?) -> Bool {
    switch replica?.predict(SessionAction(names.resolving(posted)).read, number: number, at: at, seen: seen) {
    case .shown(let changes, let created, let exits)?:
      names.note(created, createdBy: number)
      var update = ReplicaUpdate()
      update.changes = changes
      show(update, exits: exits)
      return true
    case .waiting?:
      proceedLater()
      return true
    case .unchanged?, .refused?, .unpredictable?, nil: return false
    }
  }

  /// The client's time in milliseconds since 1970, within the range that the service accepts.
  var time: Int { min(max(0, now()), State.latestTime) }

  /// After two seconds, predicts and shows the steps that wait for an unpredictable action, without waiting for its result any longer. Has
  /// no effect while the service cannot be reached.
  private func proceedLater() {
    guard patience == nil else { return }
    let pause = session.requests.wire.retry.pause
    patience = Task { [weak self] in
      try? await pause(.seconds(2))
      if !Task.isCancelled { await self?.proceed() }
    }
  }

  private func proceed() {
    patience = nil
    if !isOffline, let update = replica?.proceed() { show(update) }
  }
}

extension SessionAction {
  /// The action as a replica reads it. An action that only the service can read is replaced by `logout`, which cannot be predicted, so that later steps wait
  /// for it.
  var read: Action {
    let text = (try? JSONText.bytes(json)) ?? []
    return (try? JSONDocument.read(text, depthLimit: 64) { Action(posted: $0) }) ?? .logout
  }

  /// Binds a gesture to the shown tree, unless it already names the node that the user saw.
  fileprivate func bound(to tree: Tree) -> SessionAction {
    let front = RouteLayers(tree).front.content
    if case .integer(let tab)? = json["tab"], let tabs = front.tabsInFront, tabs.selected != tab { return from(tabs.id) }
    return from(front.end)
  }
}

extension RouteContent {
  /// The screen in front; `nil` if there is none, or if a split is in front.
  fileprivate var speaker: NodeID? {
    switch self {
    case .screen(let screen): screen.id
    case .stack(let stack): stack.items.last?.speaker
    case .tabs(let tabs): tabs.tabs.indices.contains(tabs.selected) ? tabs.tabs[tabs.selected].content.speaker : nil
    case .panes, .nothing: nil
    }
  }
}
