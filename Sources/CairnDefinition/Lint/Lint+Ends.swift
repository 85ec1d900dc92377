import CairnCore

extension Lint {
  /// Flows that end and stay: who hears their last step takes nothing away. What an ended flow shows is heard by nobody.
  func flowsThatStay() -> [Finding] {
    let hearers = Dictionary(grouping: operations, by: \.step)
    return operations.filter { $0.parts.removals.contains(.flow) }.flatMap { site -> [Finding] in
      guard let flow = graph.number(site.flow) else { return [] }
      let makers = graph.makers[flow].filter { $0 != flow }
      guard !makers.isEmpty else { return [] }
      return site.parts.sends.compactMap { sending in
        let step = sending.template.step
        let mayHear = flows(hearing: sending.to, sentBy: makers)
        guard let heard = hearers[step] else { return nil }
        let isAdapted = graph.names.indices.contains { mayHear[$0] && definition.flows[graph.names[$0]]?.adapt[step] != nil }
        let isSettled = heard.contains { other in
          graph.number(other.flow).map { mayHear[$0] && $0 != flow } == true && other.parts.mayTakeAway
        }
        guard !isAdapted, !isSettled else { return nil }
        guard sending.to == .parent else {
          return Finding(
            position: places.value(of: site),
            message: "nothing takes the flow \(site.flow) away: who hears \(step) removes nothing, and what has ended hears no step")
        }
        let names = makers.map { graph.names[$0] }.joined(separator: ", ")
        return Finding(
          position: places.value(of: site),
          message:
            "nothing takes the flow \(site.flow) away: \(names), which makes it, removes nothing at \(step), and what has ended hears no step"
        )
      }
    }
  }
}

extension OperationParts {
  /// It removes something, or what it sends, starts or writes may come to something that does.
  fileprivate var mayTakeAway: Bool {
    !removals.isEmpty || !sends.isEmpty || !writes.isEmpty || !loads.isEmpty || !timers.isEmpty
  }
}
