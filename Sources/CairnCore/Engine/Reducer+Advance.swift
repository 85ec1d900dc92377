extension Reducer {
  /// More due effects than this in one advance are refused.
  public static let advanceLimit = 1_000

  /// Moves a manual clock: each due effect is an entry of its own, by deadline, then creation. Requests that may leave are not
  /// sent here; their results arrive by themselves. At most 1,000 effects, else `advance-too-far` and nothing happened.
  /// The transition is of the whole move; its events are all events in order.
  public func advance(
    _ state: inout State, by milliseconds: Int, nonce: String
  ) throws(Refusal) -> (entries: [Entry], transition: Transition) {
    guard let begin = state.manualTime else { throw Reducer.noManualClock }
    let (target, overflow) = begin.addingReportingOverflow(milliseconds)
    guard milliseconds >= 0, !overflow else { throw Reducer.beyondAllBounds }
    var next = state
    var entries: [Entry] = []
    var events: [Event] = []
    // Ticks that changed nothing: the state does not remember them.
    var passed: [Effect.ID: Int] = [:]
    var ran = 0
    while let (effect, tick, due) = next.nextDue(after: begin, until: target, passed: passed) {
      ran += 1
      guard ran <= Reducer.advanceLimit else {
        throw Refusal(.advanceTooFar, "more than \(Reducer.advanceLimit) effects are due within this time; advance in smaller steps")
      }
      let stamp = Stamp(time: due, nonce: "\(nonce).\(ran)")
      let action = Action.effect(id: effect, .due(tick: tick))
      let transition = try reduce(&next, action, stamp: stamp)
      events += transition.events
      passed[effect] = tick
      if transition.outcome != .unchanged { entries.append(Entry(revision: next.revision, stamp: stamp, cause: .action(action))) }
    }
    let stamp = Stamp(time: target, nonce: nonce)
    let last = try reduce(&next, .advance(to: target), stamp: stamp)
    if last.outcome != .unchanged { entries.append(Entry(revision: next.revision, stamp: stamp, cause: .action(.advance(to: target)))) }
    events += last.events
    let transition = Transition(
      outcome: entries.isEmpty ? .unchanged : .performed, reason: entries.isEmpty ? last.reason : nil, events: events,
      changes: changes(from: state, to: next), started: next.effectsStarted(since: state),
      cancelled: state.effectsOver(in: next))
    state = next
    return (entries, transition)
  }
}

extension State {
  /// The timer or known value that is due first, by deadline, then creation; `passed` are the ticks that ran already. What ticked
  /// until the move began ran before it, also where it changed nothing and so is not remembered.
  fileprivate func nextDue(after begin: Int, until target: Int, passed: [Effect.ID: Int]) -> (effect: Effect.ID, tick: Int, due: Int)? {
    upcoming.lazy.filter { !$0.isRequest }
      .map { effect in
        let tick = max(passed[effect.id] ?? 0, effect.ticks, effect.ticks(until: begin)) + 1
        return (effect: effect.id, tick: tick, due: effect.due(tick: tick))
      }
      .filter { $0.due <= target }
      .min { ($0.due, $0.effect) < ($1.due, $1.effect) }
  }
}
