import CairnCore

extension Happening {
  /// Returns the text of the action in a scenario; `nil` if advancing the clock causes the action, or if a scenario cannot express it.
  static func text(of action: Action, from before: State, _ definition: Definition) -> String? {
    switch action {
    // Clients post `contact` and `tick` as numbered actions. In a scenario, a client numbers its actions only while it has no network.
    case .advance, .contact, .tick: return nil
    // All facts of the action were withheld from the reader of the history.
    case .facts(let facts) where facts.isEmpty: return nil
    case .effect(let id, let completion): return text(of: completion, id, from: before)
    case .open(let url): return YAMLText.map(first: "open", ["open": .string(withPlaceholders(url))])
    case .notification(let url, let category, let tap, let appState, let message):
      var members: [String: Value] = ["notification": payload(url, category, message, definition.notifications)]
      members["action"] = message.action.map(Value.string)
      members["reply"] = message.reply.map(Value.string)
      if !tap { members["tap"] = false }
      if appState != .background { members["state"] = .string(appState.rawValue) }
      return YAMLText.map(first: "notification", members)
    case .login(true, let state, _, _):
      var members: [String: Value] = ["type": "login", "code": .string(placeholder)]
      if state != nil { members["state"] = "{state}" }
      return YAMLText.map(first: "type", members)
    case .login(false, _, let error, _):
      guard let oauth = definition.oauth else { return nil }
      let url = oauth.redirectURL.value(in: definition.withPlaceholders(before.environment)) ?? ""
      return YAMLText.map(first: "open", ["open": .string("\(url)?error=\(PercentCoding.encode(error ?? ""))&state={state}")])
    case .token: return YAMLText.map(first: "type", ["type": "token", "accessToken": .string(placeholder)])
    default: return action.scenarioText
    }
  }

  private static func text(of completion: Action.Completion, _ id: Effect.ID, from before: State) -> String? {
    // In a scenario, a token does not expire, so it is never refreshed.
    guard let effect = before.upcoming.first(where: { $0.id == id }), effect.isRequest, !effect.isRefresh else { return nil }
    let isOldest =
      before.effects.first {
        $0.isRequest && $0.isExchange == effect.isExchange && !($0.isMessage && $0.isIdle)
      }?.id == id
    var members: [String: Value] = isOldest ? [:] : ["effect": .integer(id)]
    switch completion {
    case .loaded(let value):
      members["loaded"] = value
      return YAMLText.map(first: "loaded", members)
    case .failed(let reason):
      let name = effect.isExchange ? "exchangeFailed" : "failed"
      members[name] = .string(reason)
      return YAMLText.map(first: name, members)
    case .exchanged:
      if isOldest { return "exchanged" }
      return YAMLText.map(first: "type", ["type": "answer", "exchanged": .string(placeholder), "effect": .integer(id)])
    case .due, .abandoned, .tokenExpired: return nil
    }
  }

  /// The URL with the placeholder instead of each secret, so that a scenario can open it.
  private static func withPlaceholders(_ url: String) -> String { SealedURL.replacingSecrets(in: url, by: placeholder) }

  /// A payload in which the definition finds the link, the category and the other values of the notification.
  private static func payload(
    _ url: String?, _ category: String?, _ message: Action.Message, _ places: NotificationDefinition
  ) -> Value {
    var payload: Value = message.isSilent ? ["aps": ["content-available": 1]] : .object([:])
    let read = message.values.sortedByKey.map { name, value in
      let value: Value? = if case .string(let text) = value { .string(withPlaceholders(text)) } else { value }
      return (value, places.values[name]?.pointers ?? [])
    }
    for (value, pointers) in [
      (url.map { .string(withPlaceholders($0)) }, places.linkPointers), (category.map(Value.string), places.categoryPointers),
    ] + read {
      guard let value, let pointer = pointers.first else { continue }
      let path = pointer.split(separator: "/").map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
      payload.set(value, at: path.map { String($0) })
    }
    return payload
  }
}
