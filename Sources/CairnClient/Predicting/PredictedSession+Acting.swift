import CairnAPI
public import CairnCore

extension PredictedSession {
  /// Shows an action at once if it can be predicted, and posts it. Returns its answer, which may come much later: a shown action waits while the service
  /// cannot be reached. Any other action then throws `unreachable` at once, unless `queue` is set. A cancelled task does not take the action back.
  @discardableResult
  public func act(_ action: SessionAction, queue: Bool = false) async throws(ClientError) -> ActionAnswer {
    let result = await withCheckedContinuation { call in begin(action, queue, call) }
    return try result.get()
  }

  /// Sends a step from a screen, which is the visible one of the shown tree if `from` is `nil`.
  @discardableResult
  public func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil, queue: Bool = false) async throws(ClientError)
    -> ActionAnswer
  {
    try await act(.step(name, params, from: from ?? RouteLayers(tree).front.content.speaker), queue: queue)
  }

  private func begin(_ action: SessionAction, _ isQueued: Bool, _ call: CheckedContinuation<Result<ActionAnswer, ClientError>, Never>) {
    let number = nextNumber
    nextNumber += 1
    // The nodes are named before the action is run, because it may remove them.
    let posted = naming(action.json)
    var isShown = false
    switch predict(action.json, number) {
    case .shown(let changes, _)?:
      isShown = true
      var update = ReplicaUpdate()
      update.changes = changes
      show(update)
    case .waiting?:
      isShown = true
      proceedLater()
    case .unchanged?, .unpredictable?, nil: break
    }
    guard !isOffline || isShown || isQueued else {
      _ = replica?.drop(number)
      return call.resume(returning: .failure(.unreachable("the action cannot be shown before the service answers")))
    }
    queue.append(
      QueuedAction(
        number: number, action: action, posted: posted, isKept: isShown || isQueued, definition: definition, call: call))
    send()
  }

  private func predict(_ json: Value, _ number: Int) -> ReplicaPrediction? {
    let text = (try? JSONText.bytes(json)) ?? []
    // An action that only the service understands stands as one that cannot be predicted, so that steps wait behind it.
    let action = (try? JSONDocument.read(text, depthLimit: 64) { Action(posted: $0) }) ?? .logout
    return replica?.predict(action, number: number, at: now())
  }

  /// The action, with the nodes that the service has not created yet named by the actions that create them.
  private func naming(_ json: Value) -> Value {
    guard case .object(var members) = json else { return json }
    for name in ["from", "node"] {
      guard case .string(let text)? = members[name], let node = NodeID(text), let origin = replica?.origin(of: node) else { continue }
      members[name] = ["action": .integer(origin.number), "node": .integer(origin.place)]
    }
    return .object(members)
  }

  /// Lets steps that wait behind an action that cannot be predicted wait no longer than two seconds.
  private func proceedLater() {
    let pause = session.wire.retry.pause
    Task { [weak self] in
      try? await pause(.seconds(2))
      await self?.proceed()
    }
  }

  private func proceed() { if let update = replica?.proceed() { show(update) } }
}

extension RouteContent {
  /// The screen in front; `nil` if there is none, or if panes show several.
  fileprivate var speaker: NodeID? {
    switch self {
    case .screen(let screen): screen.id
    case .stack(let stack): stack.items.last?.speaker
    case .tabs(let tabs): tabs.tabs.indices.contains(tabs.selected) ? tabs.tabs[tabs.selected].content.speaker : nil
    case .panes, .nothing: nil
    }
  }
}
