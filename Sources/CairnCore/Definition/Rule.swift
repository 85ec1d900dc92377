/// A rule on facts. Its step is sent to the root flow if its guard is true at the start of the session, or after a write to a fact that the
/// guard reads. The step is also sent when the guard becomes true because time has passed.
public struct Rule: Hashable, Sendable {
  public var when: Guard
  public var step: StepTemplate

  public init(when: Guard, step: StepTemplate) {
    self.when = when
    self.step = step
  }
}
