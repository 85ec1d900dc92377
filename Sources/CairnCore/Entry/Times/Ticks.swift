/// Handles ticks that a client posts. The client runs a timer itself while the action that starts the timer waits for the network.
enum Ticks {
  #if !CLIENT_ENGINE
    /// The number of milliseconds by which a tick may be early. A tick may arrive in another request than the action that started the
    /// timer, and one request may be faster than the other.
    private static let leeway: WideInt = 10_000
  #endif

  /// Performs a tick of a node's timer that sends a step. Returns the reason if the timer is not running, or if the tick is not due.
  static func perform(_ run: inout Run, _ tick: WideInt, of node: NodeID, sending step: String) throws(Refusal) -> NoChange? {
    // A node may have several timers with this step. The tick counts for the one that is due first, so the order in which ticks arrive does
    // not matter.
    var first: Effect?
    for timer in run.state.effects where timer.owner == node && timer.sends(step) && timer.ticks < tick && timer.isRunning(in: run.state) {
      if first.map({ timer.due < $0.due }) ?? true { first = timer }
    }
    guard let timer = first else { return .timerGone }
    #if !CLIENT_ENGINE
      // Only the service checks this: a client cannot compare its clock with the service's, and predicts only ticks that are due by its own
      // clock.
      if run.program.withheld == nil, timer.due(tick: tick) > run.timerTime + leeway { return .notDue }
    #endif
    run.isEndOfEffect = true
    try EffectEnds.perform(&run, tick, of: timer)
    return nil
  }
}

extension Effect {
  /// Whether the effect is a timer that sends the step with this name or, if the name is empty, closes an overlay. False for inactivity timers.
  func sends(_ name: String) -> Bool {
    guard case .timer(_, let step, _, _, _) = work, !isInactivity else { return false }
    return step.step.isExactly(name)
  }

  /// Whether a timer is running: it has started, and does not wait until its page is uncovered.
  fileprivate func isRunning(in state: State) -> Bool { !isIdle && !isWaiting(in: state) }
}

extension Replica {
  /// The next tick of a timer that a pending action has started, and the time at which it is due by the client's clock, in milliseconds since 1970; `nil` if
  /// there is none. A repeating timer ticks only in the service, because its ticks would fill the queue of a client without a network.
  public var nextTick: (node: NodeID, send: String, due: WideInt)? {
    let first = confirmed.effectBook.next
    var next: (node: NodeID, send: String, due: WideInt)?
    for timer in shown.effects where timer.id >= first && timer.isRunning(in: shown) && !timer.isInactivity {
      guard let node = timer.owner, case .timer(_, let step, _, nil, _) = timer.work else { continue }
      if next.map({ timer.due < $0.due }) ?? true { next = (node, step.step, timer.due) }
    }
    return shown.manualTime == nil ? next : nil
  }
}
