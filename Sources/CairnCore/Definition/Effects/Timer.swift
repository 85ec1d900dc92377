/// A step sent later, once or repeatedly.
public struct Timer: Hashable, Sendable {
  public var name: String?
  /// The delay in milliseconds. For a repeating timer, also the period.
  public var delay: WideInt
  public var repeats: Bool
  public var step: StepTemplate
  public var whileVisible: Bool

  public init(name: String? = nil, delay: WideInt, repeats: Bool = false, step: StepTemplate, whileVisible: Bool = false) {
    self.name = name
    self.delay = delay
    self.repeats = repeats
    self.step = step
    self.whileVisible = whileVisible
  }
}
