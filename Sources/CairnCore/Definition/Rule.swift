/// A rule on facts. If its guard is true at the start of the session, or after a write to a fact that the guard reads, the rule's step is sent to the
/// root flow.
public struct Rule: Hashable, Sendable {
  public var when: Guard
  public var step: StepTemplate

  public init(when: Guard, step: StepTemplate) {
    self.when = when
    self.step = step
  }
}
