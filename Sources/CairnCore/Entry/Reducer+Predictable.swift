extension Reducer {
  /// Whether an action is a step by which users answer the question of a guard.
  package func answersGuard(_ action: Action) -> Bool {
    guard case .step(let step, _) = action, let number = program.step(step.step) else { return false }
    return program.answers.contains(number)
  }

  /// The actions that may be posted in this state and need no data from the user: the accepted gestures, then the accepted steps without params. Both are in
  /// the order of `accepts`.
  package func predictable(in state: State) -> [Action] {
    // The name table of a state read from the disk lacks the names of the definition.
    var state = state
    state.nodes.adopt(program.names)
    let gestures = kindsAccepted(in: state).filter { $0.isGesture }.flatMap { actions(of: $0, in: state) }
    return gestures + accepts(state).steps.filter { $0.params.isEmpty }.map { .step(Step($0.step), from: nil) }
  }

  /// Returns the transition that one of the `predictable` actions would cause in the state. Returns `nil` if the action opens a login page:
  /// its authorize URL contains a random OAuth state, which is created only when the action runs. Throws if the action would be refused.
  package func prediction(of action: Action, in state: State, stamp: Stamp, meter: inout Meter) throws(Refusal) -> Transition? {
    var next = state
    let transition = try reduce(&next, action, stamp: stamp, meter: &meter)
    let opened = next.nodes.records.lazy.compactMap { next.nodes.storedDetails(of: $0)?.authorization }
    return opened.allSatisfy { LoginPage(of: state, authorization: $0) != nil } ? transition : nil
  }
}
