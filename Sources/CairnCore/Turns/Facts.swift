/// Writes facts for clients and handlers.
enum Facts {
  static func set(_ run: inout Run, facts: [String: Value]) throws(Refusal) {
    var faults: [Refusal.Fault] = []
    for (name, value) in facts.sortedByKey {
      let pointer = "/set/\(name.pointerEscaped)"
      if name == FactDefinition.accessToken {
        faults.append(.init(pointer: pointer, detail: "can be set only by the actions token and login"))
      } else if run.program.isOfApp(name) {
        faults.append(.init(pointer: pointer, detail: "can be set only by the action appState"))
      } else if let fact = run.definition.facts.value(exactly: name) {
        if value != .null { faults += Checks.faults(of: value, as: fact.type, named: name, at: "/set") }
      } else {
        faults.append(
          .init(pointer: pointer, detail: "is unknown; the app's facts are \(run.definition.facts.keys.sorted().joined(separator: ", "))"))
      }
    }
    guard faults.isEmpty else { throw Refusal(.invalid, "the facts are invalid for the app \(run.definition.app)", faults: faults) }
    for (name, value) in facts.sortedByKey {
      try write(&run, value == .null ? nil : value, toSession: name)
    }
  }

  /// Writes a fact of the session or, if the session has no fact of that name, of the nearest flow. `nil` resets the fact to its default or removes it. Returns
  /// `dismissed` if no existing flow has the fact. Throws `value-mismatch` if the value does not fit.
  static func write(_ run: inout Run, _ value: Value?, to fact: String, in scope: Scope) throws(Refusal) -> NoChange? {
    // A definition that was created in code may write facts that it does not declare.
    guard run.program.hasFlowFacts, run.definition.facts[fact] == nil else {
      try write(&run, value, toSession: fact)
      return nil
    }
    guard let id = run.evaluator.flow(withFact: fact, in: scope, run.state)?.id, let flow = run.state.nodes.record(id) else {
      return .dismissed
    }
    let type = run.program.flow(of: flow)?.facts[fact]
    try check(&run, value, of: type, fact)
    let details = run.state.nodes.details(of: flow)
    var facts = details.facts
    facts[fact] = value ?? type?.defaultValue
    run.state.nodes.setDetails(details.with(facts: facts), of: id)
    return nil
  }

  /// Writes a fact of the session. The rules that read the fact are evaluated after the turn, even if the value is the same.
  static func write(_ run: inout Run, _ value: Value?, toSession fact: String) throws(Refusal) {
    let type = run.definition.facts[fact]?.type
    try check(&run, value, of: type, fact)
    // Writing a hidden fact counts as reading it: the question stays open if the action changes nothing, and only the service knows whether
    // the fact has changed.
    if run.state.isAsking { run.program.withheld?.noteRead(fact: fact) }
    run.state.facts[fact] = value ?? type?.defaultValue
    run.turns.note(written: fact)
  }

  /// Throws if a value does not fit the fact's type, or if the action writes too much.
  private static func check(_ run: inout Run, _ value: Value?, of type: ParameterDefinition?, _ fact: String) throws(Refusal) {
    guard let value else { return }
    if let fault = type?.fault(of: value) { throw Refusal(.valueMismatch, "the fact \(fact) \(fault)") }
    try run.meter.write(State.itemSize)
    try run.meter.write(value, as: "the fact", fact)
  }
}
