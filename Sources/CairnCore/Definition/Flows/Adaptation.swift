/// A rule that replaces a step before the flow handles it (RxFlow's `adapt`).
public struct Adaptation: Hashable, Sendable {
  public var when: Guard
  public var to: StepTemplate

  public init(when: Guard, to: StepTemplate) {
    self.when = when
    self.to = to
  }
}
