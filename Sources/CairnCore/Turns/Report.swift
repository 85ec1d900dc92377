/// The events and the outcome of an action.
struct Report {
  private(set) var events = EventList()
  /// The last reported reason why an operation changed nothing; `nil` if there is none.
  private(set) var reason: String?
  private var told: String?
  /// Whether a guarded node was asked, and the action waits for the answer.
  private(set) var isGuarded = false
  /// Whether a gated tab has stopped the action, or one of its steps.
  private var isGated = false
  /// Whether the history up to this action must be forgotten.
  private(set) var isForgetting = false
  /// Whether a token exchange was started or an action is held, so that the outcome is `pending`.
  private var isPending = false
  /// The link that was held during the action; `nil` if no link was held.
  private var heldLink: LinkID?

  /// Appends an event.
  mutating func note(_ event: consuming Event) { events.append(event) }

  /// Appends the event `willNavigate`: a flow starts to handle a step.
  mutating func beginTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) { events.beginTurn(flow, node, step) }

  /// Appends the event `didNavigate`: a flow has handled a step.
  mutating func endTurn(_ flow: Program.Flow, _ node: NodeID, _ step: Step) { events.endTurn(flow, node, step) }

  /// Removes the events after the first `count`, because the changes that they report were undone.
  mutating func forgetEvents(after count: Int) { events.removeEvents(after: count) }

  /// Stores the reason why an operation changed nothing. `nil`, for a change, has no effect.
  mutating func explain(_ unchanged: NoChange?) {
    if let unchanged { reason = unchanged.rawValue }
  }

  /// Stores a reason that the response contains even if the action has changed something.
  mutating func tell(_ reason: NoChange) { (self.reason, told) = (reason.rawValue, reason.rawValue) }

  /// The reason in the response to an action that has changed something; `nil` if there is none.
  func reasonOfChange(in state: State) -> String? {
    if isGuarded { return Refusal.Code.guarded.rawValue }
    return waitsForGate(in: state) ? NoChange.requires.rawValue : told
  }

  /// Whether a selection that the action has begun still waits for the condition of its tab.
  private func waitsForGate(in state: State) -> Bool { isGated && state.question?.isGate == true }

  /// Stores the reason why a step was dropped.
  mutating func explainDrop(_ why: String) { reason = why }

  /// Records that the action waits for the answer of a guarded node, or no longer waits for it.
  mutating func noteGuarded(_ isGuarded: Bool) { self.isGuarded = isGuarded }

  /// Records that a gated tab has stopped the action, or one of its steps.
  mutating func noteGated() { isGated = true }

  /// Records that the history up to this action must be forgotten. When a turn is undone, the value from before the turn is restored.
  mutating func noteForgetting(_ isForgetting: Bool = true) { self.isForgetting = isForgetting }

  mutating func notePending() { isPending = true }

  mutating func noteHeld(_ link: LinkID) { heldLink = link }

  /// The link that this action has held; `nil` if it is no longer held, because its `else` step has dropped it or caused it to be followed. If a link that is
  /// already held is opened again, it is held with a new expiry.
  func link(in state: State) -> LinkID? {
    heldLink.flatMap { held in held == state.question?.link || state.pendingLinks.contains { $0.id == held } ? held : nil }
  }

  /// Whether the outcome is `pending`: the session waits for a token exchange, for the clients of a held action, for the condition of a held link or
  /// for the condition of a tab.
  func isPending(in state: State) -> Bool { heldLink == nil ? isPending || waitsForGate(in: state) : link(in: state) != nil }
}
