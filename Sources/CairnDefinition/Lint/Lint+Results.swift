import CairnCore

extension Lint {
  /// Flows that say what they give, and have no handler that gives it: who asks hears `else` alone.
  func emptyPromises() -> [Finding] {
    let giving = Set(operations.filter { $0.operation.isGift }.map(\.flow))
    return flowsThatGive.filter { !giving.contains($0) }.map {
      Finding(position: places.name("flows", $0), message: "nothing gives what the flow \($0) promises: it has gives, and no give")
    }
  }

  /// Flows whose result nobody asks for.
  func unheardResults() -> [Finding] {
    let heard = Set(makings.filter { $0.contribution.then != nil }.compactMap(\.contribution.flow))
    return flowsThatGive.filter { !heard.contains($0) }.map {
      Finding(position: places.name("flows", $0), message: "nobody hears what the flow \($0) gives: nothing that makes it has then")
    }
  }

  private var flowsThatGive: [String] { definition.flows.filter { $0.value.gives != nil }.keys.sorted() }
}

extension Operation {
  /// Whether it ends the flow with a result, and takes its node away.
  var isGift: Bool { if case .give = self { true } else { false } }
}
