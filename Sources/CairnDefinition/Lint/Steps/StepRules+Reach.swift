import CairnCore

extension StepRules {
  /// Reports screens that no flow creates.
  func lostScreens() -> [Finding] {
    let made = Set(makings.compactMap(\.contribution.screen))
    return definition.screens.keys.sorted().filter { !made.contains($0) }.map { screen in
      Finding(position: places.name("screens", screen), message: "the screen `\(screen)` can never be shown: no flow creates it")
    }
  }

  /// Reports flows that can never be created.
  func lostFlows() -> [Finding] {
    let living = graph.below([definition.root.flow.flatMap(graph.number)].compactMap(\.self))
    return graph.names.indices.filter { !living[$0] }.map { number in
      let flow = graph.names[number]
      let makers = graph.makers[number].filter { $0 != number }.map { graph.names[$0] }
      let why =
        makers.isEmpty
        ? "no other flow creates it"
        : "it is created only by \(makers.map { "`\($0)`" }.joined(separator: ", ")), which can never start either"
      return Finding(position: places.name("flows", flow), message: "the flow `\(flow)` can never start: \(why)")
    }
  }

  /// Reports operations whose target screen or flow can never be where the operation requires it.
  func goalsThatAreNowhere() -> [Finding] {
    // The detail of a collapsed split lies on the master's stack.
    let collapses = definition.flows.values.contains { $0.collapse != nil }
    let stacked = makings.filter { $0.arrival.way.isOnStack || collapses && $0.arrival.way == .detail }
    let presented = makings.filter { $0.arrival.way.isModal || $0.arrival.way.isOverlay }
    func isMade(_ place: Place, by makings: [Making]) -> Bool { makings.contains { place.mayMean($0.contribution.target) } }
    return operations.flatMap { site in
      site.parts.goals.compactMap { goal in
        let name = goal.place.name
        let missing: String? =
          switch goal {
          case .front(let place): isMade(place, by: makings) ? nil : "`\(name)`: no flow creates it"
          case .back(let place), .raised(let place): isMade(place, by: stacked) ? nil : "`\(name)`: no flow puts it on a stack"
          case .removed(let place): isMade(place, by: stacked + presented) ? nil : "`\(name)`: no flow puts it on a stack or presents it"
          case .closed(let place): isMade(place, by: presented) ? nil : "`\(name)`: no flow presents it"
          // An unreachable flow is reported at its declaration.
          case .tab: nil
          }
        return missing.map { Finding(position: places.value(of: site), message: "`\(site.word)` never finds \($0)") }
      }
    }
  }
}

extension Place {
  /// Whether the place may refer to a node of this screen or flow. The params of the node are not compared.
  fileprivate func mayMean(_ target: Contribution.Target) -> Bool {
    switch target {
    case .screen(let name): kind != .flow && name == self.name
    case .flow(let name): kind != .screen && name == self.name
    }
  }
}
