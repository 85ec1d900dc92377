/// Work as data: who runs effects (the store) starts it, and brings its end back as an action.
public struct Effect: Hashable, Sendable, Identifiable {
  public let id: WideInt
  /// Gone with this node; nil: it belongs to the session.
  public var owner: NodeID?
  /// When it was started, milliseconds since 1970.
  public var start: WideInt
  public var work: Work
  public var whileVisible: Bool
  /// The receiver of a timer's step; `nil`: the flow that handles its node's steps.
  public var to: Operation.Destination?

  public enum Work: Hashable, Sendable {
    /// Sends a step; with a period again and again: due = start + n × period.
    case timer(name: String?, step: Step, delay: WideInt, period: WideInt?, ticks: WideInt)
    /// Delivers a known value after its delay.
    case value(Value, delay: WideInt, then: StepTemplate?, otherwise: StepTemplate?)
    /// An HTTP call, sent after its delay; its result arrives by itself. Without terms it is a plain GET.
    case request(url: String, bearer: Bool, delay: WideInt, then: StepTemplate?, otherwise: StepTemplate?, terms: CallTerms? = nil)
    /// The token call; its code is kept apart, as a secret of this effect.
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

  /// When it has to be looked at, milliseconds since 1970: a timer's next tick, or when a request may leave.
  public var due: WideInt { due(tick: ticks.addingSaturated(1)) }

  /// When a repeating timer ticks for the n-th time, from 1; for anything else its one deadline.
  public func due(tick: WideInt) -> WideInt {
    switch work {
    case .timer(_, _, let delay, let period, _): start.addingSaturated(period.map { $0.multipliedSaturated(by: tick) } ?? delay)
    case .value(_, let delay, _, _), .request(_, _, let delay, _, _, _): start.addingSaturated(delay)
    case .exchange: start
    }
  }

  /// How many ticks of a timer have changed something or were passed over before one that did.
  public var ticks: WideInt {
    if case .timer(_, _, _, _, let ticks) = work { ticks } else { 0 }
  }

  /// The newest tick that is due at a time: missed ticks collapse to one.
  public func tick(at time: WideInt) -> WideInt {
    guard case .timer(_, _, _, let period?, _) = work, period > 0 else { return 1 }
    return max(1, time.subtractingSaturated(start) / period)
  }

  /// How often a repeating timer has been due until a time, that time included; 0 for anything else.
  func ticks(until time: WideInt) -> WideInt {
    guard case .timer(_, _, _, let period?, _) = work, period > 0 else { return 0 }
    return max(0, time.subtractingSaturated(start) / period)
  }

  /// A load of a node: there is one at a time.
  public var isLoad: Bool {
    switch work {
    case .value, .request: true
    case .timer, .exchange: false
    }
  }

  /// It leaves the machine: its end arrives by itself and is not driven by a clock.
  public var isRequest: Bool {
    switch work {
    case .request, .exchange: true
    case .timer, .value: false
    }
  }
}
