import CairnCore

/// Runs the timers that waiting actions have started, and posts their ticks as actions. The replica finds these timers among the waiting actions, so they
/// continue after a restart of the app. A timer that became due in the meantime ticks at once. The service runs all other timers.
struct WaitingTimers: Sendable {
  /// The next tick of a timer: its node, the step that it sends, and when it is due by the client's clock, in milliseconds since 1970.
  typealias Tick = (node: NodeID, send: String, due: Int)

  /// The maximum duration of one wait, in milliseconds. The clock is then read again, because it may have been set.
  private static let longest = 86_400_000
  /// The time that the service has to perform a tick itself while it can be reached, in milliseconds.
  private static let patience = 2_000

  /// The task that posts the next tick, and the time at which the tick is posted; `nil` if no waiting action has started a timer.
  private var wait: (end: Int, task: Task<Void, Never>)?
  /// The tick that was posted last.
  private var posted: Tick?

  /// Ends the wait for the next tick.
  mutating func close() {
    wait?.task.cancel()
    wait = nil
  }

  /// Waits for the next tick of a session, or ends the wait if no waiting action has started a timer.
  static func follow(_ session: isolated PredictedSession) {
    let end = next(session).map { time(of: $0, in: session) }
    guard end != session.timers.wait?.end else { return }
    session.timers.close()
    guard let end, !session.isClosed else { return }
    let pause = session.session.requests.wire.retry.pause
    let duration = Duration.milliseconds(min(max(0, end - session.now()), longest))
    let task = Task { [weak session] in
      try? await pause(duration)
      if !Task.isCancelled, let session { await wake(session, at: end) }
    }
    session.timers.wait = (end, task)
  }

  /// Posts the ticks that are already due. Called before another action runs, because no wait ends while the device sleeps.
  static func catchUp(_ session: isolated PredictedSession) {
    while let wait = session.timers.wait, wait.end <= session.now() { post(session) }
  }

  private static func wake(_ session: isolated PredictedSession, at end: Int) {
    // Another action may have posted the tick in between.
    if session.timers.wait?.end == end { post(session) }
  }

  private static func post(_ session: isolated PredictedSession) {
    session.timers.close()
    guard let tick = next(session), session.queue.hasRoomForTicks else { return }
    guard time(of: tick, in: session) <= session.now() else { return follow(session) }
    session.timers.posted = tick
    session.begin(.tick(tick.node, send: tick.send), true) { _ in }
  }

  /// Returns the next tick of a timer that a waiting action has started; `nil` if there is none. Also `nil` if the tick was posted but could not be shown.
  private static func next(_ session: isolated PredictedSession) -> Tick? {
    guard let tick = session.replica?.nextTick else { return nil }
    if let posted = session.timers.posted, posted == tick { return nil }
    return tick
  }

  /// Returns the time at which a tick is posted. If the service can be reached, it soon receives the action that started the timer, and runs the timer itself.
  /// The client therefore waits longer.
  private static func time(of tick: Tick, in session: isolated PredictedSession) -> Int {
    session.isOffline ? tick.due : tick.due + patience
  }
}
