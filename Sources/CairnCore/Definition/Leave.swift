/// A node's reaction to a gesture that would remove it (UIKit's `isModalInPresentation`, Android's predictive back). It is evaluated before the
/// gesture; `left` is sent afterwards.
public enum Leave: Hashable, Sendable {
  /// The node remains, and the gesture is refused.
  case refuse
  /// The node remains for now, and this step is sent instead of the gesture.
  case ask(StepTemplate)
}

extension Leave {
  /// The word for `refuse` in definitions.
  package static let word = "none"

  /// The step to send; `nil` for `refuse`.
  public var step: StepTemplate? { if case .ask(let step) = self { step } else { nil } }
}

extension Definition {
  /// Whether the definition contains a node with a reaction.
  var hasLeave: Bool {
    flows.values.contains { flow in
      let made = flow.handle.values.flatMap { $0.branches }.flatMap { $0.operations }.flatMap { $0.parts.makes }
      return (flow.arrivals + made).contains { $0.contribution.leave != nil }
    }
  }
}
