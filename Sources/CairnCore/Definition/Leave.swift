/// A node's reaction to a gesture that would dismiss it (UIKit's `isModalInPresentation`, Android's predictive back). It is evaluated
/// before the gesture; `left` is sent afterwards.
public enum Leave: Hashable, Sendable {
  /// It stays: the gesture is refused.
  case refuse
  /// It stays for now, and this step is sent in the gesture's place.
  case ask(StepTemplate)
}

extension Leave {
  /// How `refuse` is called wherever a step could stand.
  package static let word = "none"

  /// The step that is sent; nil: it only stays.
  public var step: StepTemplate? { if case .ask(let step) = self { step } else { nil } }
}

extension Definition {
  /// Whether any node that it makes is asked before a gesture takes it away.
  var hasLeave: Bool {
    flows.values.contains { flow in
      let made = flow.handle.values.flatMap { $0.branches }.flatMap { $0.operations }.flatMap { $0.parts.makes }
      return (flow.arrivals + made).contains { $0.contribution.leave != nil }
    }
  }
}
