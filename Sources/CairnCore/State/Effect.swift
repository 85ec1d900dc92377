/// Work of a session as data. The store performs it and reports its end as an action.
public struct Effect: Hashable, Sendable, Identifiable {
  public let id: WideInt
  /// The node whose removal cancels the effect; `nil` if the effect belongs to the session.
  public var owner: NodeID?
  /// The time at which the effect was started, in milliseconds since 1970.
  public var start: WideInt
  public var work: Work
  public var whileVisible: Bool
  /// The receiver of a timer's step; `nil` for the flow that handles the steps of the timer's node.
  public var to: Operation.Destination?

  public enum Work: Hashable, Sendable {
    /// Sends a step after `delay`, or after each `period`: the n-th time at start + n × period.
    case timer(name: String?, step: Step, delay: WideInt, period: WideInt?, ticks: WideInt)
    /// Delivers a value from the definition after `delay`.
    case value(Value, delay: WideInt, then: StepTemplate?, otherwise: StepTemplate?)
    /// An HTTP call, sent after `delay`. Its result arrives at any later time. Without terms it is a plain GET.
    case request(url: String, bearer: Bool, delay: WideInt, then: StepTemplate?, otherwise: StepTemplate?, terms: CallTerms? = nil)
    /// The token call. Its code is a secret, which is stored outside of the state.
    case exchange
  }

  public init(id: WideInt, owner: NodeID?, start: WideInt, work: Work, whileVisible: Bool = false, to: Operation.Destination? = nil) {
    self.id = id
    self.owner = owner
    self.start = start
    self.work = work
    self.whileVisible = whileVisible
    self.to = to
  }

  /// The next time at which the effect needs processing, in milliseconds since 1970: a timer's next tick, or the time at which a request is sent.
  public var due: WideInt { due(tick: ticks.addingSaturated(1)) }

  /// The time of a repeating timer's tick, counted from 1. For any other effect, its only due time.
  public func due(tick: WideInt) -> WideInt {
    switch work {
    case .timer(_, _, let delay, let period, _): start.addingSaturated(period.map { $0.multipliedSaturated(by: tick) } ?? delay)
    case .value(_, let delay, _, _), .request(_, _, let delay, _, _, _): start.addingSaturated(delay)
    case .exchange: start
    }
  }

  /// The number of the last tick of a timer that changed the state. Ticks that were skipped before it are included.
  public var ticks: WideInt {
    if case .timer(_, _, _, _, let ticks) = work { ticks } else { 0 }
  }

  /// The number of the newest tick that is due at `time`. Missed ticks are combined into one.
  public func tick(at time: WideInt) -> WideInt {
    guard case .timer(_, _, _, let period?, _) = work, period > 0 else { return 1 }
    return max(1, time.subtractingSaturated(start) / period)
  }

  /// The number of ticks of a repeating timer that are due at `time`; 0 for any other effect.
  func ticks(until time: WideInt) -> WideInt {
    guard case .timer(_, _, _, let period?, _) = work, period > 0 else { return 0 }
    return max(0, time.subtractingSaturated(start) / period)
  }

  /// Whether the effect is a load. A node has at most one at a time.
  public var isLoad: Bool {
    switch work {
    case .value, .request: true
    case .timer, .exchange: false
    }
  }

  /// Whether the effect is a network call. Its result arrives independently of the session's clock.
  public var isRequest: Bool {
    switch work {
    case .request, .exchange: true
    case .timer, .value: false
    }
  }
}
