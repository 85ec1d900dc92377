/// A timer, load, token request or message, as data. The store runs the effects and reports the end of each one as an action.
public struct Effect: Hashable, Sendable, Identifiable {
  public internal(set) var id: WideInt
  /// The node to which the effect belongs. The effect ends when the node is removed. `nil` if the effect belongs to the session.
  public var owner: NodeID?
  /// The time at which the effect was started, in milliseconds since 1970.
  public var start: WideInt
  #if !CLIENT_ENGINE
    /// The time at which the service received the action that started the timer, if the user had acted earlier; otherwise `nil`. The service fires such a timer
    /// later than its client.
    public var received: WideInt?
  #endif
  public var work: Work
  public var whileVisible: Bool
  /// The treatment of a timer that is due while its page is covered.
  public var covered: Timer.Covered
  /// Whether the effect does not run now. A timer or load begins when its node is seen or, with `whileVisible`, when its node is visible again. A
  /// message begins when no earlier message is in progress, unless it is held.
  public var isIdle = false
  /// Whether a tick of a repeating timer has waited until its page was uncovered. The following ticks are then counted from this one.
  public var hasWaited = false
  /// Whether the effect is a timer that is due at a moment. Its deadline does not move when its page is seen or shown again, and is restored by an undo.
  public var isMoment = false
  /// The name of the time zone of a daily timer; `nil` for other effects.
  public var zone: String?
  /// The time at which a daily timer is due, in milliseconds since midnight.
  public var timeOfDay: WideInt = 0
  /// The receiver of a timer's step; `nil` for the flow that handles the steps of the timer's node.
  public var to: Operation.Destination?

  public enum Work: Hashable, Sendable {
    /// Sends a step once, `delay` milliseconds after the start. With a period, sends it repeatedly, at start + n × period.
    case timer(name: String?, step: Step, delay: WideInt, period: WideInt?, ticks: WideInt)
    /// Delivers a known value after its delay.
    case value(Value, delay: WideInt, then: StepTemplate?, otherwise: StepTemplate?)
    /// An HTTP request, sent after its delay. Its result arrives independently of the clock. Without terms it is a plain GET.
    case request(url: String, bearer: Bool, delay: WideInt, then: StepTemplate?, otherwise: StepTemplate?, terms: CallTerms? = nil)
    /// A token request. An authorization code is stored separately, as a secret of this effect. A refresh token is stored together with the access
    /// token.
    case exchange(Grant = .code)
    /// A message of the session. Its result arrives independently of the clock.
    indirect case message(Message)
  }

  /// The grant of a token request.
  public enum Grant: Hashable, Sendable {
    /// The authorization code of a login (RFC 6749, 4.1.3).
    case code
    /// The refresh token of the session (RFC 6749, 6).
    case refresh
  }

  public init(
    id: WideInt, owner: NodeID?, start: WideInt, work: Work, whileVisible: Bool = false, covered: Timer.Covered = .fire,
    to: Operation.Destination? = nil
  ) {
    self.id = id
    self.owner = owner
    self.start = start
    self.work = work
    self.whileVisible = whileVisible
    self.covered = covered
    self.to = to
  }

  /// The time at which the effect is due, in milliseconds since 1970: a timer's next tick, or the time at which a request may be sent.
  public var due: WideInt { due(tick: ticks.addingSaturated(1)) }

  /// The time of the n-th tick of a repeating timer, counted from 1, in milliseconds since 1970. For other work, the time at which it is due.
  public func due(tick: WideInt) -> WideInt {
    switch work {
    case .timer(_, _, let delay, let period, _): start.addingSaturated(period.map { $0.multipliedSaturated(by: tick) } ?? delay)
    case .value(_, let delay, _, _), .request(_, _, let delay, _, _, _): start.addingSaturated(delay)
    case .exchange, .message: start
    }
  }

  /// The number of the timer's last tick that changed the state; 0 if there was none. Missed ticks are numbered too.
  public var ticks: WideInt {
    if case .timer(_, _, _, _, let ticks) = work { ticks } else { 0 }
  }

  /// The newest tick of a repeating timer that is due at `time`, at least 1; always 1 for other work. Missed ticks collapse to one.
  public func tick(at time: WideInt) -> WideInt {
    guard case .timer(_, _, _, let period?, _) = work, period > 0 else { return 1 }
    return max(1, time.subtractingSaturated(start) / period)
  }

  /// The number of ticks of a repeating timer up to and including `time`; 0 for other work.
  func ticks(until time: WideInt) -> WideInt {
    guard case .timer(_, _, _, let period?, _) = work, period > 0 else { return 0 }
    return max(0, time.subtractingSaturated(start) / period)
  }

  /// The name of a timer; `nil` for a timer without a name, and for other work.
  var timerName: String? {
    if case .timer(let name, _, _, _, _) = work { name } else { nil }
  }

  /// Whether the effect is the inactivity timer of a flow. Only such a timer has an empty name.
  package var isInactivity: Bool { timerName?.isEmpty == true }

  /// Whether the effect is the session's timer for the next moment of a condition.
  package var isWake: Bool { owner == nil && closes }

  /// Whether the effect is a timer that no handler has started.
  var isOfSession: Bool { isInactivity || isWake }

  /// Whether the effect is a timer with a period.
  package var isRepeating: Bool {
    if case .timer(_, _, _, .some, _) = work { true } else { false }
  }

  /// Whether the effect is the load of a node. A node has at most one load at a time.
  public var isLoad: Bool {
    switch work {
    case .value, .request: true
    case .timer, .exchange, .message: false
    }
  }

  /// Whether the effect sends a request. Its end arrives independently of the session's clock.
  public var isRequest: Bool {
    switch work {
    case .request, .exchange, .message: true
    case .timer, .value: false
    }
  }
}
