import CairnCore

/// The effects of committed states, with their due times. Used by the writer's thread only.
struct EffectSchedule {
  enum Task: Hashable {
    /// The effects of a session are unknown. The state must be read and passed to `follow`.
    case wake(session: String)
    /// A tick of a timer, or the end of the delay of a load whose value is known. It must be run as an action.
    case run(EffectKey, tick: Int)
    /// The request of a load or of a message, which must be sent.
    case call(EffectKey)
  }

  private struct Plan {
    var effect: Effect
    /// Whether the session has a manual clock. If so, its timers are not scheduled here, because a manual clock only advances by actions.
    var isManual: Bool
    /// The last tick that was run, even if it changed nothing.
    var tick = 0
    var isCalled = false
    /// The time of the next attempt of a request.
    var call = CallPlan()
    /// The session's access token at the last attempt, as a value of `State.tokenWrites`; 0 for a message.
    var token = 0
    /// The token whose refresh this request has caused, as a value of `State.tokenWrites`; `nil` if the request has caused no refresh.
    var refreshed: Int?
    /// Whether the last tick changed nothing, so that later ticks are skipped until the state changes.
    var isResting = false
    /// The time of the session's newest entry in milliseconds since 1970.
    var newest = 0

    /// The time at which the service performs a tick. If the action that started the timer arrived late, its client may still be sending
    /// later actions and its own ticks. The service therefore waits until the session is quiet, but not longer than if the timer had
    /// started when the action arrived.
    func due(tick: Int) -> Int {
      let due = effect.due(tick: tick)
      guard let received = effect.received else { return due }
      return min(max(due, newest + EffectSchedule.quiet), due + received - effect.start)
    }
  }

  /// The time without an entry after which a session counts as quiet, in milliseconds.
  static let quiet = 30_000

  private var plans: [EffectKey: Plan] = [:]
  private var queue = DueQueue()

  /// The number of known effects.
  var count: Int { plans.count }

  /// The number of effects and sessions that have a due time.
  var waiting: Int { queue.count }

  /// The earliest due time in milliseconds since 1970; `nil` if nothing is scheduled.
  var earliest: Int? { queue.earliest }

  /// Schedules the reading of a session whose effects are not known yet.
  mutating func expect(_ session: String, at due: Int) { queue.set(.whole(session), due: due) }

  /// Updates the schedule after a commit has changed a session, or after its state has been read. `time` is the time of the newest entry.
  /// `isShared` is set for a commit if other nodes write too: an effect that an earlier commit started is left to the node that runs it.
  /// `only` contains the ids of the effects to schedule; `nil` means all effects.
  ///
  /// Returns the calls to send now, and the effects that have ended. The calls are token calls, and requests of loads and messages whose
  /// time a manual clock has reached.
  mutating func follow(
    _ session: String, from before: [Effect], to state: State?, at time: Int, isShared: Bool = false, only: Set<Int>? = nil
  ) -> (call: [EffectKey], gone: [EffectKey]) {
    if !isShared { queue.set(.whole(session), due: nil) }
    let after = state?.upcoming ?? []
    var gone: [EffectKey] = []
    for effect in before where !after.contains(where: { $0.id == effect.id }) {
      let key = EffectKey(session: session, effect: effect.id)
      queue.set(key, due: nil)
      if plans.removeValue(forKey: key) != nil { gone.append(key) }
    }
    var call: [EffectKey] = []
    for effect in after {
      let key = EffectKey(session: session, effect: effect.id)
      if isShared, plans[key] == nil, before.contains(where: { $0.id == effect.id }) { continue }
      if let only, plans[key] == nil, !only.contains(effect.id) { continue }
      var plan = plans[key] ?? Plan(effect: effect, isManual: state?.manualTime != nil)
      // The start of the message has changed, for example because an operator retried it. Its attempts begin again, unless a request is being sent.
      if effect.isMessage, !plan.isCalled, plan.effect.start != effect.start { plan.call = CallPlan() }
      plan.effect = effect
      plan.newest = time
      if plan.isResting {
        // Ticks before this change would have changed nothing, so they are skipped.
        plan.isResting = false
        if effect.due(tick: 1) <= time { plan.tick = max(plan.tick, effect.tick(at: time)) }
      }
      // With manual requests, actions supply the results, and the service sends no request.
      if effect.isRequest, state?.manualRequests == true { plan.isCalled = true }
      if effect.isRequest, !plan.isCalled, effect.isExchange || state?.manualTime.map({ plan.call.time(of: plan.effect) <= $0 }) ?? false {
        plan.isCalled = true
        call.append(key)
      }
      queue.set(key, due: due(plan))
      plans[key] = plan
    }
    return (call, gone)
  }

  /// Removes and returns at most `limit` due tasks, ordered by due time and then by creation. Missed ticks of a timer are combined into
  /// one.
  mutating func take(at time: Int, limit: Int) -> [Task] {
    var tasks: [Task] = []
    while tasks.count < limit, let key = queue.take(at: time) {
      guard var plan = plans[key] else {
        tasks.append(.wake(session: key.session))
        continue
      }
      switch plan.effect.work {
      case .timer, .value:
        plan.tick = max(plan.tick + 1, plan.effect.tick(at: time))
        tasks.append(.run(key, tick: plan.tick))
      case .request, .exchange, .message:
        plan.isCalled = true
        tasks.append(.call(key))
      }
      queue.set(key, due: due(plan))
      plans[key] = plan
    }
    return tasks
  }

  /// Suspends a repeating timer whose tick did not change the committed state. Further ticks would not change it either, because the reducer is a pure function
  /// and a tick carries no data. The timer resumes when the session changes.
  mutating func rest(_ key: EffectKey) {
    guard plans[key] != nil else { return }
    plans[key]?.isResting = true
    queue.set(key, due: nil)
  }

  /// Records that a request is sent with a token. Returns the timeout of the request in milliseconds; it is 0 or negative if the time of
  /// the load is used up. `time` is the time of the session's clock.
  mutating func leave(_ key: EffectKey, at time: Int, token: Int) -> Int {
    guard var plan = plans[key] else { return CallLimit.time }
    let left = plan.call.leave(plan.effect, at: time)
    plan.token = token
    plans[key] = plan
    return left
  }

  /// The token of a request's last attempt, as a value of `State.tokenWrites`; `nil` if the effect is unknown.
  func token(of key: EffectKey) -> Int? { plans[key]?.token }

  /// Records that a request causes a refresh of the token with this number. Returns `false`, and records nothing, if the request has already caused the refresh
  /// of another token.
  mutating func noteRefresh(_ key: EffectKey, of token: Int) -> Bool {
    guard let plan = plans[key], plan.refreshed ?? token == token else { return false }
    plans[key]?.refreshed = token
    return true
  }

  /// Schedules the retry of a request after a temporary failure. Returns `false` if no retries are left. `wait` is the server's `Retry-After` in
  /// milliseconds. `nonce` randomizes the pause, except with a manual clock.
  mutating func again(_ key: EffectKey, at time: Int, wait: Int?, nonce: String) -> Bool {
    guard var plan = plans[key] else { return false }
    let chance = plan.isManual ? 0 : Jitter.fraction(of: nonce)
    guard plan.call.again(plan.effect, at: time, wait: wait, chance: chance) else { return false }
    rewind(&plan, key)
    return true
  }

  /// Schedules the next request of a polling load after a response.
  mutating func goOn(_ key: EffectKey, at time: Int) {
    guard var plan = plans[key], plan.call.goOn(plan.effect, at: time) else { return }
    rewind(&plan, key)
  }

  private mutating func rewind(_ plan: inout Plan, _ key: EffectKey) {
    plan.isCalled = false
    queue.set(key, due: due(plan))
    plans[key] = plan
  }

  /// Removes an effect that another node has ended.
  mutating func forget(_ key: EffectKey) {
    plans[key] = nil
    queue.set(key, due: nil)
  }

  /// Whether the effect is in the schedule, even if it has no due time.
  func contains(_ key: EffectKey) -> Bool { plans[key] != nil }

  private func due(_ plan: Plan) -> Int? {
    guard !plan.isManual else { return nil }
    return switch plan.effect.work {
    case .timer(_, _, _, .some, let ticks): plan.due(tick: max(ticks, plan.tick) + 1)
    case .timer, .value: plan.tick == 0 ? plan.due(tick: 1) : nil
    case .request, .message: plan.isCalled ? nil : plan.call.time(of: plan.effect)
    case .exchange: nil
    }
  }
}
