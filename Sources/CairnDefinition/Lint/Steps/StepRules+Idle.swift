import CairnCore

extension StepRules {
  /// Reports steps that are never sent, that no flow handles, or both.
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
    let isSent = { (name: String, step: StepDefinition) in
      let mayBePosted = emitted.contains(name) || handlingFlows[name]?.contains { free[$0] } ?? false
      return sent.contains(name) || step.isOperators || !step.isInternal && mayBePosted
    }
    // `emits` and handlers declare the steps that they name, so a misspelled name appears as a step that is only sent or only handled.
    let onlySent = definition.steps.filter { isSent($0, $1) && handlingFlows[$0] == nil }.keys
    let onlyHandled = definition.steps.filter { !isSent($0, $1) && handlingFlows[$0] != nil }.keys
    func hint(_ name: String, among others: some Sequence<String>) -> String {
      NearestName.of(name, among: others).map { "; did you mean `\($0)`?" } ?? ""
    }
    return definition.steps.sortedByKey.compactMap { name, step in
      switch (isSent(name, step), handlingFlows[name] == nil) {
      case (true, false): nil
      case (true, true): finding("no flow handles the step `\(name)`\(hint(name, among: onlyHandled))", name)
      case (false, true): finding("the step `\(name)` is never used", name)
      case (false, false):
        finding(
          "nothing sends the step `\(name)`: no screen emits it, and no rule, link, start, timer, load or handler names it"
            + hint(name, among: onlySent), name)
      }
    }
  }

  private func finding(_ message: String, _ step: String) -> Finding {
    Finding(position: places.step(step), message: message)
  }

  /// For each flow, whether it or a flow below it has a screen that may emit every step.
  private var flowsThatHandleAnything: [Bool] {
    graph.above(
      graph.names.indices.filter { flow in graph.screens[flow].contains { definition.screens[$0]?.emits == nil } })
  }
}
