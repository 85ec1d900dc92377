extension Definition {
  /// Describes the part of a command that only an operator may post; `nil` if a session's client may post it. Unknown names are ignored here and
  /// reported later.
  public func operatorsPart(of command: Command) -> String? {
    guard case .action(let action) = command else { return nil }
    switch action {
    case .facts(let values): return operatorsPart(ofSetting: values)
    case .push, .present, .set, .remove, .retry: return "the action \(action.kind.word)"
    #if !CLIENT_ENGINE
      case .settled: return "deliver: settled"
      case .cancelHeld: return "dropping a held action"
    #endif
    case .step(let step, _): return steps.value(exactly: step.step)?.isOperators == true ? "the step \(step.step)" : nil
    default: return nil
    }
  }

  /// Whether a command may contain data that is reserved for operators, either in this definition or in another one to which the session moves before
  /// the command runs. A step that clients may post in this definition is not reserved.
  public func mayRequireOperator(_ command: Command) -> Bool {
    guard case .action(let action) = command else { return false }
    #if !CLIENT_ENGINE
      switch action {
      case .settled, .cancelHeld: return true
      default: break
      }
    #endif
    return switch action {
    case .facts, .push, .present, .set, .remove, .retry: true
    case .step(let step, _): steps.value(exactly: step.step)?.isClients != true
    default: false
    }
  }

  /// Describes the facts in `set` that only an operator may set; `nil` if a session's client may set them all. Unknown facts are ignored here
  /// and reported later.
  public func operatorsPart(ofSetting set: [String: Value]) -> String? {
    guard facts.values.contains(where: { $0.isClients }) else { return "setting facts" }
    let operators = set.keys.sorted().first { name in
      name == FactDefinition.accessToken || facts.value(exactly: name).map { !$0.isClients } ?? false
    }
    return operators.map { "setting the fact \($0)" }
  }
}
