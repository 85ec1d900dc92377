import CairnCore

extension Lint {
  /// Reports nodes that no gesture may remove, if no handler removes a node either. Only handlers of the creating flow, and of the flows
  /// above and below it, count.
  func nodesThatStay() -> [Finding] {
    makings.compactMap { making in
      guard making.contribution.leave == .refuse, let maker = making.maker.flatMap(graph.number) else { return nil }
      let (above, below) = (graph.above([maker]), graph.below([maker]))
      let isTaken = graph.names.indices.contains { flow in
        (above[flow] || below[flow]) && operationsOfFlow[flow].contains { !$0.parts.removals.isEmpty }
      }
      guard !isTaken else { return nil }
      let (kind, name) = making.contribution.screen.map { ("screen", $0) } ?? ("flow", making.contribution.flow ?? "")
      return Finding(
        position: places.name("\(kind)s", name),
        message:
          "the \(kind) `\(name)` can never be removed: `guard: true` forbids gestures, and no handler removes it; remove it in a handler, or omit `guard`"
      )
    }
  }

  /// Reports flows with `reselect: popToRoot` whose tabs are all screens, so that no tab has a stack to pop.
  func tapsForNothing() -> [Finding] {
    graph.names.compactMap { flow in
      guard definition.flows[flow]?.tabs.reselect == .popToRoot else { return nil }
      let tabs = makings.filter { $0.maker == flow && $0.arrival.way == .tab }
      guard tabs.allSatisfy({ $0.contribution.flow == nil }) else { return nil }
      return Finding(position: places.name("flows", flow), message: "`reselect` of `\(flow)` never pops: no tab has a stack")
    }
  }
}
