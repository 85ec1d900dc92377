/// The report of an action: its events and its outcome.
struct Report {
  private(set) var events = EventList()
  /// The reason why nothing changed; `nil` if there is none. The last reason counts.
  private(set) var reason: String?
  /// Whether a guarded node has sent its step instead of being dismissed.
  private(set) var isGuarded = false
  /// Whether a token call was started, whose result is not known yet.
  private var isPending = false
  /// The link that was held during the action.
  private var heldLink: LinkID?

  /// Adds an event.
  mutating func note(_ event: consuming Event) { events.append(event) }

  /// Adds the event that a flow starts to handle a step.
  mutating func beginTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) { events.beginTurn(flow, node, step) }

  /// Adds the event that a flow has handled a step.
  mutating func endTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) { events.endTurn(flow, node, step) }

  /// Removes the events after the first `count`, because their turn was undone.
  mutating func forgetEvents(after count: Int) { events.removeEvents(after: count) }

  /// Records why an operation changed nothing; `nil` if it did change something.
  mutating func explain(_ unchanged: NoChange?) {
    if let unchanged { reason = unchanged.rawValue }
  }

  /// Records why a step was dropped.
  mutating func explainDrop(_ why: String) { reason = why }

  mutating func noteGuarded() { isGuarded = true }

  mutating func notePending() { isPending = true }

  mutating func noteHeld(_ link: LinkID) { heldLink = link }

  /// The link that was held during the action and is still held afterwards. The step of its `else` may have dropped it, or made its condition true.
  func link(in state: State) -> LinkID? { heldLink.flatMap { held in state.pendingLinks.contains { $0.id == held } ? held : nil } }

  /// Whether the action's outcome is `pending`.
  func isPending(in state: State) -> Bool { heldLink == nil ? isPending : link(in: state) != nil }
}
