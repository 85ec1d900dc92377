import CairnCore

/// The rules about gated tabs: a gate must be able to open, and the app must react when it closes again.
struct TabRules: LintTopic {
  let lint: Lint

  var findings: [Lint.Finding] {
    definition.flows.sortedByKey.flatMap { flow, described in
      described.tabs.gates.flatMap { gate in
        [
          silence(of: gate, in: flow), closedForever(gate), openedByItself(gate, of: flow), selectedByItself(gate, of: flow),
          unanswered(gate),
        ].compactMap { $0 }.map {
          Lint.Finding(position: places.gate(of: gate.tab, in: flow), message: "the tab `\(gate.tab)` of `\(flow)` \($0)")
        }
      }
    }
  }

  /// Returns the end of a warning if a tap on the gate's closed tab shows nothing; otherwise `nil`.
  private func silence(of gate: TabGate, in flow: String) -> String? {
    guard let step = gate.otherwise?.step else {
      return "has `requires` without `else`, so a tap on it shows nothing; add `else`, the step that shows what is missing"
    }
    let handlers = flows(around: flow).compactMap { definition.flows[$0]?.handle[step] }
    guard !handlers.isEmpty, handlers.flatMap(\.branches).flatMap(\.operations).allSatisfy({ OperationWord($0) == nil }) else { return nil }
    return "shows nothing when it is closed: the handler of `\(step)`, its `else`, does nothing"
  }

  /// Returns the flow itself and the flows above it.
  private func flows(around flow: String) -> [String] {
    guard let number = graph.number(flow) else { return [] }
    let above = graph.above([number])
    return graph.names.indices.filter { above[$0] || $0 == number }.map { graph.names[$0] }
  }

  /// Returns the end of a warning if the gate's own `else` selects the tab, which is still closed; otherwise `nil`.
  private func selectedByItself(_ gate: TabGate, of flow: String) -> String? {
    guard let step = gate.otherwise?.step else { return nil }
    let selects = flows(around: flow).compactMap(graph.number).flatMap { operationsOfFlow[$0] }.contains {
      if $0.step == step, case .select(.flow(let place)) = $0.operation { place.name == gate.tab } else { false }
    }
    return selects ? "selects itself while it is closed: the handler of `\(step)`, its `else`, selects it, so a tap on it is refused" : nil
  }

  /// Returns the end of a warning if nothing writes the facts that the gate's condition tests; otherwise `nil`.
  private func closedForever(_ gate: TabGate) -> String? {
    let facts = gate.requires.facts
    guard !facts.isEmpty, gate.requires.readsOnlyFacts, facts.allSatisfy({ !isWritten($0) }) else { return nil }
    return
      "stays as it is at the start: nothing writes \(english(facts.sorted(), "and")), which `requires` tests; write it in a handler, or add `by: client`"
  }

  /// Returns the end of a warning if the gate's own `else` writes a fact that the gate's condition tests; otherwise `nil`. If the condition becomes
  /// true, the tap selects the tab as if the tab had no gate.
  private func openedByItself(_ gate: TabGate, of flow: String) -> String? {
    guard let step = gate.otherwise?.step else { return nil }
    for site in flows(around: flow).compactMap(graph.number).flatMap({ operationsOfFlow[$0] }) where site.step == step {
      guard case .write(let values) = site.operation else { continue }
      if let fact = values.keys.sorted().first(where: { gate.requires.facts.contains($0) }) {
        return "opens itself: the handler of `\(step)`, its `else`, writes `\(fact)`, which `requires` tests"
      }
    }
    return nil
  }

  /// Returns the end of a warning if the gate's condition may become false while its tab is selected, and no rule reacts, so that the tab stays
  /// selected; otherwise `nil`.
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
    if let declared = definition.facts[fact], declared.isClients || declared.environment != nil || !declared.shares.isEmpty { return true }
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
    case .flowFact, .param, .content, .status, .result, .visible, .screen, .flow, .passed, .between: false
    }
  }
}
