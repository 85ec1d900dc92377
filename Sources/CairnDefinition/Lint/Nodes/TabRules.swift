import CairnCore

/// The rules about gated tabs: that something can open them, and that the app reacts when they close again.
struct TabRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] {
    definition.flows.sortedByKey.flatMap { flow, described in
      described.tabs.gates.flatMap { gate in
        [silence(of: gate), closedForever(gate), openedByItself(gate, of: flow), unanswered(gate)].compactMap { $0 }.map {
          Lint.Finding(position: places.gate(of: gate.tab, in: flow), message: "the tab `\(gate.tab)` of `\(flow)` \($0)")
        }
      }
    }
  }

  /// Reports a tap on a closed tab that shows nothing.
  private func silence(of gate: TabGate) -> String? {
    gate.otherwise == nil
      ? "has `requires` without `else`, so a tap on it shows nothing; add `else`, the step that shows what is missing" : nil
  }

  /// Reports a gate whose facts nothing writes.
  private func closedForever(_ gate: TabGate) -> String? {
    let facts = gate.requires.facts
    guard !facts.isEmpty, gate.requires.readsOnlyFacts, facts.allSatisfy({ !isWritten($0) }) else { return nil }
    return
      "stays as it is at the start: nothing writes \(english(facts.sorted(), "and")), which `requires` tests; write it in a handler, or add `by: client`"
  }

  /// Reports a gate whose own `else` makes its condition true: the tap then selects the tab as if it had no gate.
  private func openedByItself(_ gate: TabGate, of flow: String) -> String? {
    guard let step = gate.otherwise?.step, let number = graph.number(flow) else { return nil }
    let above = graph.above([number])
    for flow in graph.names.indices where above[flow] || flow == number {
      for site in operationsOfFlow[flow] where site.step == step {
        guard case .write(let values) = site.operation else { continue }
        if let fact = values.keys.sorted().first(where: { gate.requires.facts.contains($0) }) {
          return "opens itself: the handler of `\(step)`, its `else`, writes `\(fact)`, which `requires` tests"
        }
      }
    }
    return nil
  }

  /// Reports a gate whose condition may become false while its tab is selected, if no rule reacts: the tab then stays selected.
  private func unanswered(_ gate: TabGate) -> String? {
    let facts = gate.requires.facts
    guard !facts.isEmpty, closedForever(gate) == nil else { return nil }
    let answers = definition.rules.contains { rule in
      !rule.when.facts.isDisjoint(with: facts) && !Guard.all([.not(gate.requires), rule.when]).isContradiction
    }
    guard !answers else { return nil }
    return
      "stays selected when its `requires` becomes false, because `requires` is tested only when the tab is selected; add a rule that selects another tab"
  }

  /// Whether a fact can change: an operation, a client, the environment or the service writes it.
  private func isWritten(_ fact: String) -> Bool {
    if fact == FactDefinition.accessToken || FactDefinition.ofApp[fact] != nil { return true }
    if let declared = definition.facts[fact], declared.isClients || declared.environment != nil { return true }
    return operations.contains { $0.parts.writes.contains(fact) } || makings.contains { $0.contribution.facts[fact] != nil }
  }
}

extension Guard {
  /// Whether the condition reads nothing but facts of the session.
  fileprivate var readsOnlyFacts: Bool {
    switch self {
    case .fact: true
    case .all(let parts), .any(let parts): parts.allSatisfy(\.readsOnlyFacts)
    case .not(let inner): inner.readsOnlyFacts
    case .flowFact, .param, .content, .status, .result, .visible, .screen, .flow: false
    }
  }
}
