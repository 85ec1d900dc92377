/// Replaces a step before the flow handles it (RxFlow's `adapt`, as a pure rule).
public struct Adaptation: Hashable, Sendable {
  public var when: Guard
  public var to: StepTemplate

  public init(when: Guard, to: StepTemplate) {
    self.when = when
    self.to = to
  }
}
