import CairnCore

extension StepRules {
  /// Reports flows that declare a result but have no handler that returns a result. The flows that create them receive only the step of
  /// `else`.
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

  /// Reports flows that end although nothing can remove them and nothing waits for their result: wherever they are created, they are in a tab, at the bottom of a
  /// stack or the only child. Their screens stay visible, and can send no step.
  func flowsThatCannotLeave() -> [Finding] {
    operations.filter(\.operation.isGift).compactMap { site in
      let ways = makings.filter { $0.contribution.flow == site.flow }
      guard !ways.isEmpty, ways.allSatisfy({ $0.contribution.then == nil && isPermanent($0) }) else { return nil }
      return Finding(
        position: places.value(of: site),
        message:
          "`finish` cannot remove the flow `\(site.flow)`, which is in a tab or at the bottom wherever it is created, so its screens stay and send no "
          + "steps; push or present it, or add `then` where it is created")
    }
  }

  /// Whether the node was created with its parent, in a position that is never empty.
  private func isPermanent(_ making: Making) -> Bool {
    switch making.arrival.way {
    case .tab, .detail, .child: true
    case .pushed: making.maker.flatMap { definition.flows[$0]?.arrivals.contains(making.arrival) } ?? false
    case .replacing, .stacked, .presented, .raised, .overlay, .master, .onChild: false
    }
  }

  private var flowsThatGive: [String] { definition.flows.filter { $0.value.gives != nil }.keys.sorted() }
}

extension Operation {
  /// Whether the operation ends the flow with a result and removes its node.
  var isGift: Bool { if case .give = self { true } else { false } }
}
