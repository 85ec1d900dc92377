/// A step sent later, once or repeatedly.
public struct Timer: Hashable, Sendable {
  public var name: String?
  /// The delay in milliseconds, which is also the period of a repeating timer. With `value`, the length of the value's unit; for a moment,
  /// the time by which the timer is due before the moment.
  public var delay: WideInt
  /// The value that is evaluated when the timer starts: a moment (`isMoment`), or a number of units; `nil` if the delay is known in advance.
  public var value: Expression?
  /// Whether the value is a moment, at which the timer is due.
  public var isMoment = false
  /// Whether the timer is due each day at a time of day: `delay` is this time in milliseconds since midnight, and `value` names the time
  /// zone.
  public var isDaily = false
  /// Whether the timer replaces the running timers of the same name and the same node.
  public var restarts = false
  public var repeats: Bool
  public var step: StepTemplate
  /// Whether the timer runs only while its node is visible, and restarts when the node is visible again.
  public var whileVisible: Bool
  /// The treatment of a timer that is due while its page is covered. If it is `nil`, the timer waits, or fires if steps of the covered page
  /// are accepted.
  public var covered: Covered?
  /// Whether the timer begins when the user sees its node for the first time, instead of when the node is created.
  public var startsSeen: Bool

  public enum Covered: String, Hashable, Sendable, CaseIterable {
    /// The timer is due when the page is uncovered. A repeating timer then ticks only once, and the next tick follows after one period.
    case wait
    /// The step is sent although the page is covered.
    case fire
    /// The step is dropped because the page is covered.
    case drop
  }

  public init(
    name: String? = nil, delay: WideInt, repeats: Bool = false, step: StepTemplate, whileVisible: Bool = false, covered: Covered? = nil,
    startsSeen: Bool = false
  ) {
    self.name = name
    self.delay = delay
    self.repeats = repeats
    self.step = step
    self.whileVisible = whileVisible
    self.covered = covered
    self.startsSeen = startsSeen
  }
}
