extension Definition {
  /// Whether a step that a node carries may contain the value of a hidden fact.
  var hidesStepValues: Bool {
    let hidden = Set(facts.filter { !$0.value.isShown }.keys)
    guard !hidden.isEmpty else { return false }
    let operations = flows.values.flatMap { $0.handle.values }.flatMap { $0.branches }.flatMap { $0.operations }
    let made =
      [root] + flows.values.flatMap { $0.arrivals }.map { $0.contribution }
      + operations.flatMap { $0.parts.makes }.map { $0.contribution }
    return made.flatMap { $0.templates }.flatMap { $0.with.values }.flatMap { $0.references }.contains { reference in
      if case .fact(let name) = reference { hidden.contains(name) } else { false }
    }
  }
}
