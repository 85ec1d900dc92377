extension Definition {
  /// Whether a step that a node carries may contain the value of a hidden fact.
  var hidesStepValues: Bool {
    let hidden = Set(facts.filter { !$0.value.isShown }.keys)
    guard !hidden.isEmpty else { return false }
    let made = [root] + flows.values.flatMap { $0.makes }.map { $0.contribution }
    return made.flatMap { $0.templates }.flatMap { $0.with.values }.flatMap { $0.references }.contains { reference in
      if case .fact(let name) = reference { hidden.contains(name) } else { false }
    }
  }
}
