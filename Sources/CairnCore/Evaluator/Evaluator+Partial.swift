extension Evaluator {
  /// Replaces the operands of a condition by their values, as far as these are known now. The condition itself is evaluated later.
  func partial(_ condition: Guard, in scope: Scope, _ state: State) -> Guard {
    switch condition {
    case .result(let path, let test): .result(path, partial(test, in: scope, state))
    case .fact(let name, let test): .fact(name, partial(test, in: scope, state))
    case .flowFact(let name, let test): .flowFact(name, partial(test, in: scope, state))
    case .all(let guards): .all(guards.map { partial($0, in: scope, state) })
    case .any(let guards): .any(guards.map { partial($0, in: scope, state) })
    case .not(let inner): .not(partial(inner, in: scope, state))
    default: condition
    }
  }

  /// Evaluates the operand of `equals`. An operand whose value is missing now, or that reads `$result` or `$error`, is left unevaluated.
  private func partial(_ test: Guard.Test, in scope: Scope, _ state: State) -> Guard.Test {
    guard case .equals(let expression) = test, !expression.references.contains(where: { $0.isOfEnd }) else { return test }
    return value(of: expression, in: scope, state).map { .equals(.literal($0)) } ?? test
  }
}

extension Reference {
  /// Whether the reference has a value only when a load, a message or a flow with a result ends.
  var isOfEnd: Bool {
    switch self {
    case .result, .error: true
    case .param, .content, .screen, .fact, .flowFact, .flow, .authorizeURL, .isFirstSight: false
    }
  }
}
