extension Rollout {
  /// An operator's operation on a rollout.
  package enum Operation: String, Sendable, CaseIterable { case pause, resume, stop, revert }

  /// Whether a new rollout of the app may replace this one, because this one has ended or is a dry run.
  package var isReplaceable: Bool { isDryRun || !state.isActive }

  /// The rollout after an operation; `nil` if the operation is not possible now. If the rollout is a dry run that has ended, the operation applies to the
  /// rollout before it.
  package func after(_ operation: Operation) -> Rollout? {
    if let state = state(after: operation) { return with(state: state) }
    guard isDryRun, !state.isActive, let earlier = effective, let state = earlier.state(after: operation) else { return nil }
    return earlier.with(state: state)
  }

  /// The state after an operation; `nil` if the operation is not possible now.
  package func state(after operation: Operation) -> State? {
    switch (operation, state) {
    case (.pause, .running): .paused
    case (.resume, .paused): .running
    case (.stop, .running), (.stop, .paused): .stopped
    case (_, _) where isDryRun: nil
    case (.stop, .done), (.stop, .reverting): .stopped
    case (.revert, .running), (.revert, .paused), (.revert, .done), (.revert, .stopped): .reverting
    default: nil
    }
  }
}
