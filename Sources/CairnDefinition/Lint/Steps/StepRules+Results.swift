import CairnCore

extension StepRules {
  /// Flows that declare a result but have no handler that returns it. The flows that create them only ever receive `else`.
  func emptyPromises() -> [Finding] {
    let giving = Set(operations.filter { $0.operation.isGift }.map(\.flow))
    return flowsThatGive.filter { !giving.contains($0) }.map {
      Finding(
        position: places.name("flows", $0),
        message: "the flow `\($0)` declares `gives`, but no handler runs `finish`; add `finish`, or remove `gives`")
    }
  }

  /// Reports flows whose result is not used by any flow that creates them.
  func unheardResults() -> [Finding] {
    let heard = Set(makings.filter { $0.contribution.then != nil }.compactMap(\.contribution.flow))
    return flowsThatGive.filter { !heard.contains($0) && definition.flows[$0]?.gives?.isEmpty == false }.map {
      Finding(
        position: places.name("flows", $0),
        message: "the result of the flow `\($0)` is not used: add `then` where the flow is created, or remove `gives`")
    }
  }

  private var flowsThatGive: [String] { definition.flows.filter { $0.value.gives != nil }.keys.sorted() }
}

extension Operation {
  /// Whether the operation ends the flow with a result and removes its node.
  var isGift: Bool { if case .give = self { true } else { false } }
}
