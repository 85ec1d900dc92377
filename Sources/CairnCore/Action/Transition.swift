/// What an accepted action did.
public struct Transition: Hashable, Sendable {
  public var outcome: Outcome
  /// Why nothing changed, or what is waited for: a stable word.
  public var reason: String?
  /// The link that was held.
  public var link: LinkID?
  public var events: [Event]
  /// What a client has to play on the old tree to get the new one.
  public var changes: [Change]
  public var started: [Effect]
  public var cancelled: [Effect.ID]

  public init(
    outcome: Outcome, reason: String? = nil, link: LinkID? = nil, events: [Event] = [], changes: [Change] = [], started: [Effect] = [],
    cancelled: [Effect.ID] = []
  ) {
    self.outcome = outcome
    self.reason = reason
    self.link = link
    self.events = events
    self.changes = changes
    self.started = started
    self.cancelled = cancelled
  }
}
