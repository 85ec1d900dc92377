import CairnCore

extension StepRules {
  /// Steps that are never sent, or that no flow handles.
  func idleSteps() -> [Finding] {
    let sent = Set(definition.templates.map(\.step))
    let emitted = definition.screens.values.reduce(into: Set<String>()) { $0.formUnion($1.emits ?? []) }
      .union(definition.flows.values.flatMap(\.emits))
    let free = flowsThatHandleAnything
    var handlingFlows: [String: [Int]] = [:]
    for (number, name) in graph.names.enumerated() {
      guard let flow = definition.flows[name] else { continue }
      for step in Set(flow.handle.keys).union(flow.adapt.keys) { handlingFlows[step, default: []].append(number) }
    }
    return definition.steps.sorted { $0.key < $1.key }.compactMap { name, step in
      let handlingFlows = handlingFlows[name] ?? []
      let isSent = sent.contains(name) || (!step.isInternal && (emitted.contains(name) || handlingFlows.contains { free[$0] }))
      switch (isSent, handlingFlows.isEmpty) {
      case (true, false): return nil
      case (true, true): return finding("no flow handles the step \(name)", name)
      case (false, true): return finding("the step \(name) is never used", name)
      case (false, false):
        let screens = step.isInternal ? "it is internal, and" : "no screen emits it, and"
        return finding("nothing sends the step \(name): \(screens) no rule, link, start, timer, load or handler names it", name)
      }
    }
  }

  private func finding(_ message: String, _ step: String) -> Finding {
    Finding(position: places.name("steps", step), message: message)
  }

  /// For each flow, whether it or a flow below it has a screen without a contract.
  private var flowsThatHandleAnything: [Bool] {
    if definition.primitives == .open {
      return Array(repeating: definition.screens.values.contains { $0.emits == nil }, count: graph.names.count)
    }
    return graph.above(
      graph.names.indices.filter { flow in graph.screens[flow].contains { definition.screens[$0]?.emits == nil } })
  }
}
