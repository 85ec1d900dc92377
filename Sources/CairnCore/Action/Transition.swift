/// The result of an accepted action.
public struct Transition: Sendable {
  public var outcome: Outcome
  /// The reason why nothing changed, or what the session waits for, as a stable word.
  public var reason: String?
  /// The id of the link that was held.
  public var link: LinkID?
  private var eventList: EventList
  private var source: Source
  public var started: [Effect]
  public var cancelled: [Effect.ID]

  /// The source of the changes. Those of an action are written into the response without creating them first.
  private enum Source: Sendable {
    case values([Change])
    case list(ChangeList)
  }

  /// The events in order, created at each access.
  public var events: [Event] {
    get { eventList.values }
    set { eventList = EventList(newValue) }
  }

  public init(
    outcome: Outcome, reason: String? = nil, link: LinkID? = nil, events: [Event] = [], changes: [Change] = [], started: [Effect] = [],
    cancelled: [Effect.ID] = []
  ) {
    self.init(outcome: outcome, reason: reason, link: link, eventList: EventList(events), changes: changes, started: started)
    self.cancelled = cancelled
  }

  init(
    outcome: Outcome, reason: String? = nil, link: LinkID? = nil, eventList: EventList, changes: [Change] = [], started: [Effect] = []
  ) {
    self.outcome = outcome
    self.reason = reason
    self.link = link
    self.eventList = eventList
    source = .values(changes)
    self.started = started
    cancelled = []
  }

  /// The result of an action that changed the state.
  init(_ outcome: Outcome, _ report: Report, changes: ChangeList, from old: State, to state: State) {
    self.outcome = outcome
    reason = report.isGuarded ? Refusal.Code.guarded.rawValue : nil
    link = report.link(in: state)
    eventList = report.events
    source = .list(changes)
    started = state.effectsStarted(since: old)
    cancelled = old.effectsOver(in: state)
  }

  /// Whether the events include one of this type.
  public func tells(_ type: Event.Kind) -> Bool { eventList.has(type) }

  /// The changes that turn the old tree into the new one, computed at each access.
  public var changes: [Change] {
    get {
      switch source {
      case .values(let changes): changes
      case .list(let list): list.values
      }
    }
    set { source = .values(newValue) }
  }

  /// Visits each node that an action changed, by ascending id, in its new and its old version; `nil` if it does not exist. At least `kept` of its
  /// first children are unchanged; `nil` if unknown. `old` and `new` are the states before and after the action. The duration grows with the number
  /// of nodes that the action wrote.
  package func forEachNode(
    from old: State, to new: State, _ visit: (_ now: NodeReading?, _ past: NodeReading?, _ kept: Int?) -> Void
  ) {
    switch source {
    case .list(let list): list.forEachNode(from: old, visit)
    case .values: NodeDifference.forEachReading(from: old.nodes, to: new.nodes) { visit($0, $1, nil) }
    }
  }

  /// Writes the events as one array.
  func writeEvents(to writer: inout JSONWriter) { eventList.write(to: &writer) }

  /// Writes the changes as one array.
  func writeChanges(to writer: inout JSONWriter) {
    switch source {
    case .values(let changes): changes.write(to: &writer)
    case .list(let list): list.write(to: &writer)
    }
  }
}

extension Transition: Hashable {
  public static func == (one: Transition, other: Transition) -> Bool {
    one.outcome == other.outcome && one.reason == other.reason && one.link == other.link && one.events == other.events
      && one.changes == other.changes && one.started == other.started && one.cancelled == other.cancelled
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(outcome)
    hasher.combine(reason)
  }
}
