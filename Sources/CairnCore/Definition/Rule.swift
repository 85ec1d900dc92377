/// A stepper on facts: its step goes to the root flow at the start, and whenever a fact that it names is written, if its guard holds.
public struct Rule: Hashable, Sendable {
  public var when: Guard
  public var step: StepTemplate

  public init(when: Guard, step: StepTemplate) {
    self.when = when
    self.step = step
  }
}
