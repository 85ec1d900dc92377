import CairnCore

extension ModalRules {
  /// Reports flows that are always presented, never on a level, and that no step closes. A sheet whose screens emit no steps (`emits: []`)
  /// is not reported, because the user closes it by a gesture.
  func endlessFlows() -> [Finding] {
    let ways = Dictionary(grouping: makings.filter { $0.contribution.flow != nil }) { $0.contribution.flow ?? "" }
    let talking = graph.above(
      graph.names.indices.filter { flow in
        !emits(flow).isEmpty || graph.screens[flow].contains { definition.screens[$0]?.emits != [] }
      })
    return graph.names.indices.compactMap { number in
      let flow = graph.names[number]
      guard let ways = ways[flow], ways.allSatisfy(\.arrival.way.isModal),
        !ways.contains(where: \.arrival.way.isRaised)
      else { return nil }
      // A gesture does not close a guarded node.
      let isMute =
        !talking[number]
        && ways.allSatisfy { if case .presented(.sheet, _) = $0.arrival.way { $0.contribution.leave == nil } else { false } }
      guard !ends(number), !isMute, !isClosed(number, ways) else { return nil }
      let makers = Set(ways.compactMap(\.maker)).sorted().map { "`\($0)`" }.joined(separator: ", ")
      return Finding(
        position: places.name("flows", flow),
        message: "the flow `\(flow)` is never dismissed: it does not end, and \(makers), which presents it, has no `dismiss`")
    }
  }

  /// The steps that all screens of a flow can send.
  private func emits(_ flow: Int) -> Set<String> { definition.flows[graph.names[flow]]?.emits ?? [] }

  private func ends(_ flow: Int) -> Bool { operationsOfFlow[flow].contains { $0.parts.removals.contains(.flow) } }

  /// Whether the presenter dismisses the flow. Also true if the presenter, or a flow above it, removes the flow on a step that the flow can
  /// send.
  private func isClosed(_ flow: Int, _ ways: [Making]) -> Bool {
    let presenters = Set(ways.compactMap { $0.maker.flatMap(graph.number) })
    let isOnScreen = ways.contains { if case .presented(_, on: .screen) = $0.arrival.way { true } else { false } }
    let takers: Set<OperationParts.Removal> = isOnScreen ? [.covers, .nodes, .flow] : [.covers]
    // The steps whose handlers remove the flow. They matter only if the flow can send them.
    var closing: Set<String> = []
    for site in presenters.flatMap({ operationsOfFlow[$0] }) {
      if site.closes(graph.names[flow]) { return true }
      if !site.parts.removals.isDisjoint(with: takers) { closing.insert(site.step) }
    }
    let (above, below) = (graph.above(presenters), graph.below([flow]))
    for other in graph.names.indices where above[other] && !below[other] && !presenters.contains(other) {
      for site in operationsOfFlow[other] where !site.parts.removals.isDisjoint(with: [.covers, .nodes, .flow]) {
        closing.insert(site.step)
      }
    }
    return comes(closing, from: flow, below)
  }

  /// Whether one of the steps can come from the flow: a screen of the flow, or of a flow below it, may emit the step, or the flow sends the
  /// step to another flow.
  private func comes(_ steps: Set<String>, from flow: Int, _ below: [Bool]) -> Bool {
    if steps.isEmpty { return false }
    let isPassedOn = operationsOfFlow[flow].contains { site in
      site.parts.sends.contains { $0.to != .current && steps.contains($0.template.step) }
    }
    let around = graph.above([flow])
    return isPassedOn || graph.names.indices.contains { (below[$0] || around[$0]) && !emits($0).isDisjoint(with: steps) }
      || graph.names.indices.contains { other in
        below[other]
          && graph.screens[other].contains { screen in definition.screens[screen]?.emits.map { !$0.isDisjoint(with: steps) } ?? true }
      }
  }
}
