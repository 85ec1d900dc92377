/// The report of an action: its events and its outcome.
struct Report {
  private(set) var events = EventList()
  /// Why nothing changed, where nothing did; the last word counts.
  private(set) var reason: String?
  /// Whether a guarded node has sent its step instead of being dismissed.
  private(set) var isGuarded = false
  /// A token call was started: the answer is not there yet.
  private var isPending = false
  /// The link that was held.
  private var heldLink: LinkID?

  /// Notes what happened.
  mutating func note(_ event: consuming Event) { events.append(event) }

  /// Notes that a flow begins to handle a step.
  mutating func beginTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) { events.beginTurn(flow, node, step) }

  /// Notes that a flow has handled a step.
  mutating func endTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) { events.endTurn(flow, node, step) }

  /// Forgets the events after the first `count`, because what they report was undone.
  mutating func forgetEvents(after count: Int) { events.removeEvents(after: count) }

  /// Notes why something changed nothing; nil: it did.
  mutating func explain(_ unchanged: NoChange?) {
    if let unchanged { reason = unchanged.rawValue }
  }

  /// Notes why a step was dropped.
  mutating func explainDrop(_ why: String) { reason = why }

  mutating func noteGuarded() { isGuarded = true }

  mutating func notePending() { isPending = true }

  mutating func noteHeld(_ link: LinkID) { heldLink = link }

  /// The link that was held and still is: its own `else` may have dropped it, or made it possible. A link that is held already is held again:
  /// its time may be another one.
  func link(in state: State) -> LinkID? { heldLink.flatMap { held in state.pendingLinks.contains { $0.id == held } ? held : nil } }

  /// Whether something is waited for.
  func isPending(in state: State) -> Bool { heldLink == nil ? isPending : link(in: state) != nil }
}
