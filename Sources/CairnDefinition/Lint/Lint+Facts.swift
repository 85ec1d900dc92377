import CairnCore

extension Lint {
  /// Reports facts that nothing reads or writes.
  func unusedFacts() -> [Finding] {
    var used: Set<String> = definition.guards.reduce(into: []) { $0.formUnion($1.facts) }
    for case .fact(let name) in definition.expressions.flatMap(\.references) { used.insert(name) }
    for site in operations { used.formUnion(site.parts.writes) }
    used.formUnion(FactDefinition.ofApp.keys)
    return unusedFactsOfFlows(used)
      + definition.facts.keys.sorted().filter { !used.contains($0) }.map {
        Finding(position: places.name("facts", $0), message: "the fact `\($0)` is never used")
      }
  }

  /// Reports facts of flows that nothing reads or writes. `written` contains at least the names of all facts that operations write.
  private func unusedFactsOfFlows(_ written: Set<String>) -> [Finding] {
    var used = written.union(makings.flatMap { $0.contribution.facts.keys })
    for case .flowFact(let name) in definition.expressions.flatMap(\.references) { used.insert(name) }
    for condition in definition.guards { used.formUnion(condition.flowFacts) }
    return definition.flows.sortedByKey.flatMap { flow, described in
      described.facts.keys.sorted().filter { !used.contains($0) }.map {
        Finding(position: places.fact($0, of: flow), message: "the fact `\($0)` of the flow `\(flow)` is never used")
      }
    }
  }

  /// Reports sets that no type and no condition uses.
  func unusedSets() -> [Finding] {
    let used = places.namesOfSets
    return places.names("sets").filter { !used.contains($0) }.map {
      Finding(position: places.name("sets", $0), message: "the set `\($0)` is never used")
    }
  }

  /// Reports rules whose condition contradicts itself about one fact.
  func impossibleRules() -> [Finding] {
    definition.rules.indices.compactMap { index in
      guard let fact = definition.rules[index].when.contradiction else { return nil }
      return Finding(
        position: places.member("when", of: index, in: "rules"),
        message: "this rule never sends its step: its tests of `\(fact)` contradict each other")
    }
  }
}

extension Guard {
  /// Whether two parts of a conjunction contradict each other about a fact.
  var isContradiction: Bool { contradiction != nil }

  /// The fact on which two parts of a conjunction contradict each other; `nil` if no parts contradict each other.
  fileprivate var contradiction: String? {
    let wanted = conjuncts
    for (index, one) in wanted.enumerated() {
      for other in wanted[..<index] {
        switch (one, other) {
        case (.fact(let a, let first), .fact(let b, let second)) where a == b && first.excludes(second): return a
        case (.flowFact(let a, let first), .flowFact(let b, let second)) where a == b && first.excludes(second): return a
        case (.not(.fact(let a, let first)), .fact(let b, let second)) where a == b && first == second: return a
        case (.fact(let a, let first), .not(.fact(let b, let second))) where a == b && first == second: return a
        default: break
        }
      }
    }
    return nil
  }

  /// The facts of flows that the condition reads.
  fileprivate var flowFacts: Set<String> {
    switch self {
    case .flowFact(let name, _): [name]
    case .all(let guards), .any(let guards): guards.reduce(into: []) { $0.formUnion($1.flowFacts) }
    case .not(let inner): inner.flowFacts
    default: []
    }
  }

  private var conjuncts: [Guard] { if case .all(let guards) = self { guards.flatMap(\.conjuncts) } else { [self] } }
}

extension Guard.Test {
  /// Whether no value fulfills both tests. Only literals are compared.
  fileprivate func excludes(_ other: Guard.Test) -> Bool {
    if let range = TestRange(self, other) { return range.isEmpty }
    return switch (value, other.value) {
    case (let mine?, let its?): mine != its
    case (_?, nil): other == .absent
    case (nil, _?): self == .absent
    case (nil, nil): Set([self, other]) == [.present, .absent]
    }
  }

  private var value: Value? {
    switch self {
    case .isTrue: true
    case .equals(.literal(let value)): value
    case .equals, .present, .absent, .among, .over, .under: nil
    }
  }
}
