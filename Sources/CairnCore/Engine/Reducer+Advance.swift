extension Reducer {
  /// Maximum number of effects that run in one advance if the caller passes no bounds.
  public static let advanceLimit = 1_000

  /// Advances a manual clock. Each due effect becomes a separate entry, ordered by due time, then by creation. The transition covers the
  /// whole advance and contains all events in order.
  ///
  /// No request is sent. A request fails at its own deadline; a manual request fails at the time at which the service would end the
  /// request. At most `Bounds.ticks` effects run; if there are more, the function throws `advance-too-far` and changes nothing. `note` is
  /// called with each entry and the states before and after it. `sender` is recorded in the last entry, which moves the clock.
  public func advance(
    _ state: inout State, by milliseconds: WideInt, nonce: String, sender: Sender? = nil, meter: inout Meter,
    note: (_ entry: Entry, _ before: State, _ after: State) -> Void
  ) throws(Refusal) -> Transition {
    guard let begin = state.manualTime else { throw Reducer.noManualClock }
    let target = try Reducer.time(milliseconds, after: begin)
    var next = state
    var events: [Event] = []
    // The newest tick of each effect that has run. A tick that changed nothing is not stored in the state.
    var passed: [Effect.ID: WideInt] = [:]
    var ran = 0
    var forgets = false
    while let (effect, tick, due, completion) = next.nextDue(after: begin, until: target, passed: passed) {
      ran += 1
      // A timer that has waited for its page was due before the clock's present time, and runs at the present time.
      let stamp = Stamp(time: max(due, next.manualTime ?? due), nonce: "\(nonce).\(ran)")
      let before = next
      var taken = meter.fresh
      let (action, transition) = try end(&next, .effect(id: effect, completion), stamp: stamp, meter: &taken)
      try meter.tick(taken)
      events += transition.events
      forgets = forgets || transition.forgets
      passed[effect] = tick
      if transition.outcome != .unchanged {
        note(Entry(revision: next.revision, stamp: stamp.recording(next, since: before), cause: .action(action)), before, next)
      }
    }
    let stamp = Stamp(time: target, nonce: nonce, sender: sender)
    let before = next
    let last = try reduce(&next, .advance(to: target), stamp: stamp, meter: &meter)
    if last.outcome != .unchanged {
      note(Entry(revision: next.revision, stamp: stamp.recording(next, since: before), cause: .action(.advance(to: target))), before, next)
    }
    events += last.events
    let isChanged = next.revision != state.revision
    var transition = Transition(
      outcome: isChanged ? .performed : .unchanged, reason: isChanged ? nil : last.reason, events: events,
      changes: changes(from: state, to: next), started: next.effectsStarted(since: state),
      cancelled: state.effectsOver(in: next))
    transition.forgets = forgets || last.forgets
    state = next
    return transition
  }

  /// Advances a manual clock without bounds, and also returns the entries.
  public func advance(
    _ state: inout State, by milliseconds: WideInt, nonce: String
  ) throws(Refusal) -> (entries: [Entry], transition: Transition) {
    var meter = Meter.idle
    var entries: [Entry] = []
    let transition = try advance(&state, by: milliseconds, nonce: nonce, meter: &meter) { entry, _, _ in entries.append(entry) }
    return (entries, transition)
  }

  /// Runs an action of the service itself, usually the end of an effect. If that end exceeds a bound, the effect is abandoned, because the end would exceed the
  /// bound again at each attempt. Returns the action that was run.
  public func end(
    _ state: inout State, _ action: Action, stamp: Stamp, meter: inout Meter
  ) throws(Refusal) -> (action: Action, transition: Transition) {
    do {
      return (action, try reduce(&state, action, stamp: stamp, meter: &meter))
    } catch {
      guard error.code.isBound, case .effect(let id, _) = action else { throw error }
      let last = Action.effect(id: id, .abandoned(error.code.rawValue))
      var idle = Meter.idle
      return (last, try reduce(&state, last, stamp: stamp, meter: &idle))
    }
  }
}

extension State {
  /// The effect that is due first, with its tick; `nil` if none is due until `target`. Of several effects that are due at the same time,
  /// the one created first is returned. `passed` contains the newest ticks that have run during the advance. Ticks before the advance have
  /// already run, even those that changed nothing and were not stored. A request is due at its own deadline or, if requests are manual, at
  /// `endOfCall`.
  fileprivate func nextDue(after begin: WideInt, until target: WideInt, passed: [Effect.ID: WideInt]) -> (
    effect: Effect.ID, tick: WideInt, due: WideInt, completion: Action.Completion
  )? {
    let isManual = manualRequests
    return upcoming.lazy
      .compactMap { effect in
        guard !effect.isRequest else {
          guard let end = isManual ? effect.endOfCall : effect.deadline else { return nil }
          return (effect: effect.id, tick: 0, due: max(begin, end), completion: .failed(CallLimit.timeout))
        }
        let missed = effect.hasWaited ? 0 : effect.ticks(until: begin)
        let tick = max(passed[effect.id] ?? 0, effect.ticks, missed).addingSaturated(1)
        return (effect: effect.id, tick: tick, due: effect.due(tick: tick), completion: .due(tick: tick))
      }
      .filter { $0.due <= target }
      .min { $0.due == $1.due ? Effect.comes($0.effect, before: $1.effect) : $0.due < $1.due }
  }
}
