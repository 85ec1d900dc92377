import CairnCore

extension Happening {
  /// An action as a scenario says it; nil: it comes with the clock.
  static func text(of action: Action, from before: State, _ definition: Definition) -> String? {
    switch action {
    case .step(let step, let from):
      var members: [String: Value] = ["step": .string(step.step)]
      if !step.params.isEmpty { members["params"] = .object(step.params) }
      if let from { members["from"] = .string(from.description) }
      return first("step", members)
    case .advance: return nil
    case .effect(let id, let completion): return text(of: completion, id, from: before)
    case .open(let url): return first("open", ["open": .string(url)])
    case .notification(let url, let category, let tap, let appState, let message):
      var members: [String: Value] = ["notification": payload(url, category, message, definition.notifications)]
      members["action"] = message.action.map(Value.string)
      members["reply"] = message.reply.map(Value.string)
      if !tap { members["tap"] = false }
      if appState != .background { members["state"] = .string(appState.rawValue) }
      return first("notification", members)
    case .login(true, let state, _, _):
      var members: [String: Value] = ["type": "login", "code": .string(placeholder)]
      if state != nil { members["state"] = "{state}" }
      return first("type", members)
    case .login(false, _, let error, _):
      guard let oauth = definition.oauth else { return nil }
      let url = oauth.redirectURL.value(in: definition.telling(before.environment)) ?? ""
      return first("open", ["open": .string("\(url)?error=\(PercentCoding.encode(error ?? ""))&state={state}")])
    case .token: return first("type", ["type": "token", "accessToken": .string(placeholder)])
    case .logout: return "logout"
    case .cancel(let link): return first("cancel", ["cancel": .string(link.description)])
    case .appState(let state): return first("appState", ["appState": .string(state.rawValue)])
    case .facts(let facts): return first("type", ["type": "facts", "set": .object(facts)])
    case .pop, .popTo, .popToRoot, .back, .dismiss, .select, .push, .present, .set, .remove: return primitive(action)
    }
  }

  private static func text(of completion: Action.Completion, _ id: Effect.ID, from before: State) -> String? {
    guard let effect = before.upcoming.first(where: { $0.id == id }), effect.isRequest else { return nil }
    let isOldest = before.effects.first { $0.isRequest && $0.isExchange == effect.isExchange }?.id == id
    var members: [String: Value] = isOldest ? [:] : ["effect": .integer(id)]
    switch completion {
    case .loaded(let value):
      members["loaded"] = value
      return first("loaded", members)
    case .failed(let reason):
      let name = effect.isExchange ? "exchangeFailed" : "failed"
      members[name] = .string(reason)
      return first(name, members)
    case .exchanged:
      if isOldest { return "exchanged" }
      return first("type", ["type": "answer", "exchanged": .string(placeholder), "effect": .integer(id)])
    case .due, .abandoned: return nil
    }
  }

  /// Gestures, and what clients do to the tree where they may: as they are posted.
  private static func primitive(_ action: Action) -> String? {
    func route(_ route: Action.Route) -> [String: Value] {
      var members: [String: Value] = ["screen": .string(route.screen)]
      if !route.params.isEmpty { members["params"] = .object(route.params) }
      return members
    }
    var members: [String: Value] = [:]
    var node: NodeID?
    switch action {
    case .pop(let count, let on):
      members = on == nil && count != 1 ? ["type": "pop", "count": .integer(count)] : ["type": "pop"]
      node = on
    case .popTo(.screen(let screen)): members = ["type": "popTo", "screen": .string(screen)]
    case .popTo(.node(let on)):
      members["type"] = "popTo"
      node = on
    case .popToRoot: return "popToRoot"
    case .back: return "back"
    case .dismiss(let on):
      members["type"] = "dismiss"
      node = on
    case .select(.tab(let tab), let on):
      members = ["type": "select", "tab": .integer(tab)]
      node = on
    case .select(.flow(let flow), let on):
      members = ["type": "select", "flow": .string(flow)]
      node = on
    case .push(let pushed): members = route(pushed).merging(["type": "push"]) { $1 }
    case .present(let presented, let style, let on, let replace):
      members = route(presented).merging(["type": "present", "style": .string(style.rawValue)]) { $1 }
      if replace { members["replace"] = true }
      node = on
    case .set(let stack): members = ["type": "set", "stack": .array(stack.map { .object(route($0)) })]
    case .remove(let on):
      members["type"] = "remove"
      node = on
    default: return nil
    }
    if let node { members["node"] = .string(node.description) }
    return first("type", members)
  }

  /// A payload in which the definition finds the link, the category and what else it reads.
  private static func payload(
    _ url: String?, _ category: String?, _ message: Action.Message, _ places: NotificationDefinition
  ) -> Value {
    var payload: Value = message.isSilent ? ["aps": ["content-available": 1]] : .object([:])
    let read = message.values.sorted { $0.key < $1.key }.map { ($0.value as Value?, places.values[$0.key]?.pointers ?? []) }
    for (value, pointers) in [(url.map(Value.string), places.linkPointers), (category.map(Value.string), places.categoryPointers)] + read {
      guard let value, let pointer = pointers.first else { continue }
      let path = pointer.split(separator: "/").map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
      payload.set(value, at: path.map { String($0) })
    }
    return payload
  }

  /// A map with this member first: by it a scenario tells what it is.
  private static func first(_ name: String, _ members: [String: Value]) -> String {
    let others = members.filter { $0.key != name }.sorted { $0.key < $1.key }
    return YAMLText.flow(([(name, members[name] ?? .null)] + others.map { ($0.key, $0.value) }).map { ($0.0, YAMLText.flow($0.1)) })
  }
}
