/// A rule on facts. Its step is sent to the root flow at the start, and after each write to a fact that the rule reads, if its guard is
/// true.
public struct Rule: Hashable, Sendable {
  public var when: Guard
  public var step: StepTemplate

  public init(when: Guard, step: StepTemplate) {
    self.when = when
    self.step = step
  }
}
