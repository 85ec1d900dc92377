/// A step that is sent depending on facts. The root flow receives it at the start, and whenever a fact that the guard uses is written, if the guard
/// holds.
public struct Rule: Hashable, Sendable {
  public var when: Guard
  public var step: StepTemplate

  public init(when: Guard, step: StepTemplate) {
    self.when = when
    self.step = step
  }
}
