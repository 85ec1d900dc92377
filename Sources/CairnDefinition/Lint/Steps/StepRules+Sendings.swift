import CairnCore

extension StepRules {
  /// Reports a step that is sent to a flow, if neither this flow nor a flow to which it passes the step handles the step.
  func stepsSentAstray() -> [Finding] {
    let sent = Set(definition.templates.filter { $0.to?.target(in: definition) != nil }.map { StepTemplate($0.step, to: $0.to) })
    return sent.compactMap { template in
      guard let destination = template.to, let flow = destination.target(in: definition) else { return nil }
      let step = template.step
      func hears(_ name: String) -> Bool {
        definition.flows[name].map { $0.handle[step] != nil || $0.adapt[step] != nil } ?? false
      }
      // A step without a handler is reported at its declaration.
      guard graph.names.contains(where: hears) else { return nil }
      let mayHear = flows(hearing: destination, sentBy: [])
      guard !graph.names.indices.contains(where: { mayHear[$0] && hears(graph.names[$0]) }) else { return nil }
      let above = definition.unhandled == .parent ? ", and neither does a flow above it" : ""
      return Finding(
        position: places.sending(of: step, to: destination.rawValue), message: "`\(flow)` does not handle the step `\(step)`\(above)")
    }
  }

  /// Reports handlers that send the handled step to their own flow, which handles the step again.
  func stepsSentInCircles() -> [Finding] {
    lint.operations.compactMap { site in
      let isOwn = site.parts.sends.contains {
        $0.template.step == site.step && ($0.template.to == .current || $0.template.to == .flow(site.flow))
      }
      guard isOwn else { return nil }
      return Finding(
        position: places.value(of: site),
        message: "`\(site.flow)` sends `\(site.step)` to itself while it handles `\(site.step)`; write `to: parent` to pass it on")
    }
  }

  /// For each flow, whether it may receive a step that is sent to `destination`. `makers` are the flows that create the sender.
  func flows(hearing destination: Operation.Destination, sentBy makers: [Int]) -> [Bool] {
    let first: [Int]
    switch destination {
    case .parent: first = makers
    case .current, .all: return Array(repeating: true, count: graph.names.count)
    case .root, .flow: first = [destination.target(in: definition).flatMap(graph.number)].compactMap(\.self)
    }
    return definition.unhandled == .parent ? graph.above(first) : graph.marked(first)
  }
}

extension Operation.Destination {
  /// The flow that the destination names; `nil` if the destination depends on the sender.
  func target(in definition: Definition) -> String? {
    switch self {
    case .parent, .current, .all: nil
    case .root: definition.root.flow
    case .flow(let name): name
    }
  }
}
