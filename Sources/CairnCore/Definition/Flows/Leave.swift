/// The guard of a node against gestures that would dismiss it (UIKit's `isModalInPresentation`, Android's predictive back). It runs before the
/// gesture, while `left` is sent afterwards.
public enum Leave: Hashable, Sendable {
  /// The gesture is refused, and the node is kept.
  case refuse
  /// The node is kept, and this step is sent instead of the gesture.
  case ask(StepTemplate)
}

extension Leave {
  /// The step that is sent; `nil` for `refuse`.
  public var step: StepTemplate? { if case .ask(let step) = self { step } else { nil } }
}

extension Definition {
  /// Whether any node that the definition creates has a guard.
  var hasLeave: Bool {
    flows.values.contains { flow in
      let made = flow.handle.values.flatMap { $0.branches }.flatMap { $0.operations }.flatMap { $0.parts.makes }
      return (flow.arrivals + made).contains { $0.contribution.leave != nil }
    }
  }
}
