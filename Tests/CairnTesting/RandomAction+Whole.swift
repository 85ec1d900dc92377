package import CairnCore

extension RandomAction {
  /// A random action of any kind, including those of held links, notifications, the app state and requests.
  package static func whole(_ chance: inout Chance, for state: State) -> Action {
    let id: Value = chance.pick([0, 1, 2, "a"])
    switch chance.below(30) {
    case 0, 1: return .back
    case 2, 3: return .appState(chance.pick(Action.Activity.allCases))
    case 4: return .facts(["f0": .bool(chance.isHeads(oneIn: 2))])
    case 5, 6: return .open(url: chance.pick(["x://to", "x://to/1", "x://to/a", "x://a/b%20c", "x://go", "y://a"]))
    case 7:
      if let question = state.question, chance.isHeads(oneIn: 2) { return .cancelQuestion(question.id) }
      return state.pendingLinks.first.map { .cancel(link: $0.id) } ?? .cancel(link: LinkID(1 + chance.below(3)))
    case 8, 9:
      let message = Action.Message(
        values: chance.isHeads(oneIn: 4) ? [:] : ["id": id], action: chance.pick([nil, nil, "a"]), reply: chance.pick([nil, nil, "r"]),
        isSilent: chance.isHeads(oneIn: 4))
      return .notification(
        url: chance.pick([nil, "x://to/2"]), category: chance.pick([nil, "c"]), tap: chance.isHeads(oneIn: 2),
        appState: chance.pick(Action.AppState.allCases), message)
    case 10: return .token
    case 11, 12, 13:
      let requests = state.effects.filter(\.isRequest)
      guard !requests.isEmpty else { return .back }
      let completion: Action.Completion = chance.pick([
        .loaded(["count": .integer(chance.below(4))]), .loaded(["count": .integer(chance.below(4))]), .failed("http-status: 401"),
        .failed("timeout"),
      ])
      return .effect(id: chance.pick(requests).id, completion)
    case 14:
      let ends = state.pendingLinks.map { Effect.end(of: $0.id) }
      return ends.isEmpty ? .popToRoot : .effect(id: chance.pick(ends), .due(tick: 1))
    case 15: return .select(.tab(0), node: nil)
    case 16, 17:
      let list: Value = chance.pick([.array([]), .array([1, 7]), .array([1]), .array([1, 8]), .array(["a"]), .array([1, 2, 3]), 1])
      return chance.isHeads(oneIn: 3) ? .facts(["list": list]) : .step(Step("t2", params: ["items": list]), from: nil)
    default: return make(&chance, for: state, isOdd: true)
    }
  }
}
