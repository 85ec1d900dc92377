import CairnCore

extension StepRules {
  /// Screens that no flow creates. Empty if clients may push any screen.
  func lostScreens() -> [Finding] {
    guard definition.primitives != .open else { return [] }
    let made = Set(makings.compactMap(\.contribution.screen))
    return definition.screens.keys.sorted().filter { !made.contains($0) }.map { screen in
      Finding(position: places.name("screens", screen), message: "the screen \(screen) can never be shown: no flow creates it")
    }
  }

  /// Flows that can never be created.
  func lostFlows() -> [Finding] {
    let living = graph.below([definition.root.flow.flatMap(graph.number)].compactMap(\.self))
    return graph.names.indices.filter { !living[$0] }.map { number in
      let flow = graph.names[number]
      let makers = graph.makers[number].filter { $0 != number }.map { graph.names[$0] }
      let why =
        makers.isEmpty
        ? "no other flow creates it" : "it is created only by \(makers.joined(separator: ", ")), which can never start either"
      return Finding(position: places.name("flows", flow), message: "the flow \(flow) can never start: \(why)")
    }
  }

  /// Operations whose target, a screen or flow, can never be in the position that the operation requires.
  func goalsThatAreNowhere() -> [Finding] {
    guard definition.primitives != .open else { return [] }
    let made = Set(makings.compactMap(\.contribution.screen))
    let stacked = Set(makings.filter(\.arrival.way.isOnStack).compactMap(\.contribution.screen))
    let presented = Set(
      makings.filter(\.arrival.way.isModal).flatMap { [$0.contribution.screen, $0.contribution.flow].compactMap(\.self) })
    return operations.flatMap { site in
      site.parts.goals.compactMap { goal in
        let missing: String? =
          switch goal {
          case .front(let screen): made.contains(screen) ? nil : "\(screen): no flow creates it"
          case .frontFlow(let flow): makings.contains { $0.contribution.flow == flow } ? nil : "\(flow): no flow creates it"
          case .back(let screen), .removed(let screen): stacked.contains(screen) ? nil : "\(screen): no flow puts it on a stack"
          case .closed(let name): presented.contains(name) ? nil : "\(name): no flow presents it"
          // An unreachable flow is reported at its declaration.
          case .tab: nil
          }
        return missing.map { Finding(position: places.value(of: site), message: "\(site.word) never finds \($0)") }
      }
    }
  }
}
