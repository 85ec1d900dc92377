/// The result of an accepted action.
public struct Transition: Sendable {
  public var outcome: Outcome
  /// A stable word for the reason why nothing changed, or why the action did not have its whole effect; `nil` if there is no reason.
  public var reason: String?
  /// The link that the action held; `nil` if the action held no link.
  public var link: LinkID?
  private var eventList: EventList
  private var source: Source
  public var started: [Effect]
  public var cancelled: [Effect.ID]
  /// Whether the history up to and including this action must be forgotten. It may be true although the action changed nothing.
  public var forgets = false

  /// The source of `changes`. The changes of an action are written to its response without creating `Change` values first.
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
    outcome: Outcome, reason: String? = nil, link: LinkID? = nil, eventList: EventList, changes: [Change] = [], started: [Effect] = [],
    forgets: Bool = false
  ) {
    self.outcome = outcome
    self.reason = reason
    self.link = link
    self.eventList = eventList
    source = .values(changes)
    self.started = started
    cancelled = []
    self.forgets = forgets
  }

  /// The result of an action that changed the state.
  init(_ outcome: Outcome, _ report: Report, changes: ChangeList, from old: State, to state: State) {
    self.outcome = outcome
    reason = report.reasonOfChange(in: state)
    link = report.link(in: state)
    eventList = report.events
    source = .list(changes)
    started = state.effectsStarted(since: old)
    cancelled = old.effectsOver(in: state)
    forgets = report.isForgetting
  }

  /// Whether a level, or a modal that could not be removed, covers the page that a followed link opened.
  package var isCovered: Bool { reason == NoChange.covered.rawValue }

  /// Whether the action was a notification that had no effect: a pressed button or a reply that no rule accepts, or a tap without a link.
  package var tookNothing: Bool {
    outcome == .unchanged && [NoChange.notTaken, .noLink].contains { reason.isExactly($0.rawValue) }
  }

  /// Whether an event of this type occurred.
  public func tells(_ type: Event.Kind) -> Bool { eventList.has(type) }

  /// The changes that a client applies to the old tree to get the new one. Computed at each call.
  public var changes: [Change] {
    get {
      switch source {
      case .values(let changes): changes
      case .list(let list): list.values
      }
    }
    set { source = .values(newValue) }
  }

  /// Calls `visit` with each node that the action created, changed or destroyed, in ascending order of ids. Passes the node after and
  /// before the action, each `nil` if the node did not exist at that time. `kept` is the number of children at the beginning that are
  /// certainly unchanged; `nil` if it is unknown. `old` and `new` are the states before and after the action. Takes time proportional to
  /// the data that the action wrote.
  package func forEachNode(
    from old: State, to new: State, _ visit: (_ now: NodeReading?, _ past: NodeReading?, _ kept: Int?) -> Void
  ) {
    switch source {
    case .list(let list): list.forEachNode(from: old, visit)
    case .values: NodeDifference.forEachReading(from: old.nodes, to: new.nodes) { visit($0, $1, nil) }
    }
  }

  /// Writes the events as a JSON array.
  func writeEvents(to writer: inout JSONWriter) { eventList.write(to: &writer) }

  /// Writes the changes as a JSON array.
  package func writeChanges(to writer: inout JSONWriter) {
    switch source {
    case .values(let changes): changes.write(to: &writer)
    case .list(let list): list.write(to: &writer)
    }
  }
}

extension Transition: Hashable {
  public static func == (one: Transition, other: Transition) -> Bool {
    one.outcome == other.outcome && one.reason == other.reason && one.link == other.link && one.events == other.events
      && one.forgets == other.forgets && one.changes == other.changes && one.started == other.started && one.cancelled == other.cancelled
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(outcome)
    hasher.combine(reason)
  }
}
