import CairnAPI
public import CairnCore

extension PredictedSession {
  /// Posts an action, and shows it at once if it can be predicted. Returns the service's response.
  ///
  /// A shown action waits while the service cannot be reached, so the response may arrive much later. Any other action then throws
  /// `unreachable` at once, unless `queue` is set. An action with a token, a code or a secret param never waits. If 500 actions already
  /// wait, or the first of them has waited for more than 7 days, a new action throws `unreachable`. Cancelling the task does not undo the
  /// action.
  ///
  /// A gesture refers to the node that is in front in the shown tree at the call. If that node is no longer visible when the gesture
  /// arrives, the gesture is refused.
  @discardableResult
  public func act(_ action: SessionAction, queue: Bool = false) async throws(ClientError) -> ActionAnswer {
    let result = await withCheckedContinuation { call in begin(bound(action), queue, call) }
    return try result.get()
  }

  /// Sends a step from a screen; if `from` is `nil`, from the visible screen of the shown tree.
  @discardableResult
  public func step(_ name: String, _ params: [String: Value] = [:], from: NodeID? = nil, queue: Bool = false) async throws(ClientError)
    -> ActionAnswer
  {
    try await act(.step(name, params, from: from ?? RouteLayers(tree).front.content.speaker), queue: queue)
  }

  /// Binds a gesture to the shown tree, unless it already names the node that the user saw.
  private func bound(_ action: SessionAction) -> SessionAction {
    let front = RouteLayers(tree).front.content
    if case .integer(let tab)? = action.json["tab"], let tabs = front.tabsInFront, tabs.selected != tab { return action.from(tabs.id) }
    return action.from(front.end)
  }

  private func begin(_ action: SessionAction, _ isQueued: Bool, _ call: CheckedContinuation<Result<ActionAnswer, ClientError>, Never>) {
    if let reason = overflow { return call.resume(returning: .failure(.unreachable(reason))) }
    let (number, at) = (nextNumber, time)
    nextNumber += 1
    let json = action.json
    let read = Self.readable(json)
    // Without a replica, the secret params are unknown, so every action with params counts as secret.
    let isSecret = Self.hasCredential(json) || (replica?.hasSecret(read) ?? (json["params"] != nil || json["stack"] != nil))
    // The posted form is computed before the action runs, because the action may remove the nodes that it names.
    let posted = naming(json, at: at)
    var isShown = false
    switch replica?.predict(read, number: number, at: at) {
    case .shown(let changes, _, let exits)?:
      isShown = true
      var update = ReplicaUpdate()
      update.changes = changes
      show(update, exits: exits)
    case .waiting?:
      isShown = true
      proceedLater()
    case .unchanged?, .refused?, .unpredictable?, nil: break
    }
    let isKept = isShown || (isQueued && !isSecret)
    guard !isOffline || isKept else {
      _ = replica?.drop(number)
      let remedy = isSecret ? ", and an action that may contain a secret does not wait" : "; queue: true lets it wait"
      return call.resume(returning: .failure(.unreachable("the client cannot predict the action\(remedy)")))
    }
    queue.append(
      QueuedAction(number: number, action: action, posted: posted, isKept: isKept, at: at, definition: definition, call: call))
    send()
  }

  /// Maximum number of actions that wait for the service.
  private static let mostWaiting = 500
  /// If the first action has waited longer than this time, in milliseconds, no further action is queued.
  private static let longestWait = 7 * 86_400_000

  /// The reason why no further action can be queued; `nil` if another action can be queued.
  private var overflow: String? {
    if queue.count >= Self.mostWaiting { return "\(Self.mostWaiting) actions, the maximum, already wait for the service" }
    return queue.first.map { now() - $0.at > Self.longestWait } == true ? "an action has waited for the service for 7 days" : nil
  }

  /// The action as the replica reads it. An action that only the service can read is replaced by `logout`, which cannot be predicted, so
  /// that later steps wait for it.
  private static func readable(_ json: Value) -> Action {
    let text = (try? JSONText.bytes(json)) ?? []
    return (try? JSONDocument.read(text, depthLimit: 64) { Action(posted: $0) }) ?? .logout
  }

  private static func hasCredential(_ json: Value) -> Bool {
    json["type"] == "login" || json["type"] == "token" || json["exchanged"] != nil
  }

  /// The client's time in milliseconds since 1970, within the range that the service accepts.
  var time: Int { min(max(0, now()), State.latestTime) }

  /// The action's posted form, with its time and the confirmed revision that is shown. A node that the service has not created yet is given as the number of
  /// the action that creates it, and the node's index among the nodes that this action creates.
  private func naming(_ json: Value, at: Int) -> Value {
    guard case .object(var members) = json else { return json }
    members["at"] = .integer(at)
    if let replica { members["seen"] = .integer(replica.revision) }
    for name in ["from", "node"] {
      guard case .string(let text)? = members[name], let node = NodeID(text), let origin = replica?.origin(of: node) else { continue }
      members[name] = ["action": .integer(origin.number), "node": .integer(origin.place)]
    }
    return .object(members)
  }

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

  /// Cancels the task of `proceedLater` if no step waits for an unpredictable action.
  func endPatience() {
    guard replica?.isHeldUp != true else { return }
    patience?.cancel()
    patience = nil
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
