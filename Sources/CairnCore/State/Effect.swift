/// Work as data: who runs effects (the store) starts it, and brings its end back as an action.
public struct Effect: Hashable, Sendable, Codable, Identifiable {
  public let id: Int
  /// Gone with this node; nil: it belongs to the session.
  public var owner: NodeID?
  /// When it was started, milliseconds since 1970.
  public var start: Int
  public var work: Work
  public var whileVisible: Bool

  public enum Work: Hashable, Sendable, Codable {
    /// Sends a step; with a period again and again: due = start + n × period.
    case timer(name: String?, step: Step, delay: Int, period: Int?, ticks: Int)
    /// Brings a value that is known already, when its delay is over.
    case value(Value, delay: Int, then: StepTemplate?, otherwise: StepTemplate?)
    /// An HTTP GET, sent when its delay is over; its result arrives by itself.
    case request(url: String, bearer: Bool, delay: Int, then: StepTemplate?, otherwise: StepTemplate?)
    /// The token call; its code is kept apart, as a secret of this effect.
    case exchange
  }

  public init(id: Int, owner: NodeID?, start: Int, work: Work, whileVisible: Bool = false) {
    self.id = id
    self.owner = owner
    self.start = start
    self.work = work
    self.whileVisible = whileVisible
  }

  /// When it has to be looked at, milliseconds since 1970: a timer's next tick, or when a request may leave.
  public var due: Int {
    switch work {
    case .timer(_, _, let delay, let period, let ticks): start + (period.map { $0 * (ticks + 1) } ?? delay)
    case .value(_, let delay, _, _), .request(_, _, let delay, _, _): start + delay
    case .exchange: start
    }
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
