package import CairnCore

extension Action {
  /// The action in a scenario, as clients post it. `nil`: a scenario needs more than the action has, or the clock causes it.
  package var scenarioText: String? {
    func route(_ route: Action.Route) -> [String: Value] {
      var members: [String: Value] = ["screen": .string(route.screen)]
      if !route.params.isEmpty { members["params"] = .object(route.params) }
      return members
    }
    var members: [String: Value] = [:]
    var node: NodeID?
    switch self {
    case .step(let step, let from):
      members = ["step": .string(step.step)]
      if !step.params.isEmpty { members["params"] = .object(step.params) }
      if let from { members["from"] = .string(from.description) }
      return YAMLText.map(first: "step", members)
    case .logout: return "logout"
    case .cancel(let link): return YAMLText.map(first: "cancel", ["cancel": .string(link.description)])
    case .appState(let activity): return YAMLText.map(first: "appState", ["appState": .string(activity.rawValue)])
    case .facts(let facts): return YAMLText.map(first: "facts", ["facts": .object(facts)])
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
    return YAMLText.map(first: "type", members)
  }
}
