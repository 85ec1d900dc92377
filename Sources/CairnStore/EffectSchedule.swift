import CairnCore

/// The living effects, and when each is due. Follows only from committed states. Only for the writer.
struct EffectSchedule {
  /// Work that is due.
  enum Task: Hashable {
    /// A session's effects are not known yet: its state is to be read, and followed.
    case wake(session: String)
    /// A timer or a known value: its end is to be run as an action.
    case run(EffectKey, tick: Int)
    /// A request or a token call is to be sent.
    case call(EffectKey)
  }

  private struct Plan {
    var effect: Effect
    /// Its session has a manual clock: only requests are looked at here.
    var isManual: Bool
    /// The last tick that was run, even if it changed nothing.
    var tick = 0
    var isCalled = false
    /// When a request is made next.
    var call = CallPlan()
    /// The session's token when the last attempt left, by the number of its writing.
    var token = 0
    /// Its last tick changed nothing, so the next one would change nothing either until the state is another one.
    var isResting = false
  }

  private var plans: [EffectKey: Plan] = [:]
  private var queue = DueQueue()

  /// How many effects are known to live.
  var count: Int { plans.count }

  /// How many effects and sessions wait for their time.
  var waiting: Int { queue.count }

  /// The next time to look, milliseconds since 1970.
  var earliest: Int? { queue.earliest }

  /// A session whose effects are not known has to be looked at at a time.
  mutating func expect(_ session: String, at due: Int) { queue.set(.whole(session), due: due) }

  /// A commit changed a session, or its state was read. `time`: of its newest entry. Gives those to call at once (a manual clock reached
  /// them, or a token call), and those that are gone.
  mutating func follow(
    _ session: String, from before: [Effect], to state: State?, at time: Int
  ) -> (call: [EffectKey], gone: [EffectKey]) {
    queue.set(.whole(session), due: nil)
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
      var plan = plans[key] ?? Plan(effect: effect, isManual: state?.manualTime != nil)
      plan.effect = effect
      if plan.isResting {
        // Earlier due times would have changed nothing while the state was the same.
        plan.isResting = false
        if effect.due(tick: 1) <= time { plan.tick = max(plan.tick, effect.tick(at: time)) }
      }
      // Requests that are answered by hand leave by none.
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

  /// Takes the due effects, by deadline, then creation; at most `limit`. Missed ticks count as one.
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
      case .request, .exchange:
        plan.isCalled = true
        tasks.append(.call(key))
      }
      queue.set(key, due: due(plan))
      plans[key] = plan
    }
    return tasks
  }

  /// A repeating timer's tick changed nothing in the committed state. The reducer is a function and a tick brings nothing in, so no further
  /// one will change anything: it waits for the session's next change, and costs nothing until then.
  mutating func rest(_ key: EffectKey) {
    guard plans[key] != nil else { return }
    plans[key]?.isResting = true
    queue.set(key, due: nil)
  }

  /// A request is about to leave, and goes with a token; how many milliseconds it has. `time`: of the clock that the session goes by.
  mutating func leave(_ key: EffectKey, at time: Int, token: Int) -> Int {
    guard var plan = plans[key] else { return CallLimit.time }
    let left = plan.call.leave(plan.effect, at: time)
    plan.token = token
    plans[key] = plan
    return left
  }

  /// The token that the last attempt of a request went with, by the number of its writing; nil: the effect is not known.
  func token(of key: EffectKey) -> Int? { plans[key]?.token }

  /// Schedules the retry of a request after a temporary failure; returns false if it has none left. `wait`: milliseconds from the server's
  /// `Retry-After`; `nonce`: the source of the pause's randomness, except on a manual clock.
  mutating func again(_ key: EffectKey, at time: Int, wait: Int?, nonce: String) -> Bool {
    guard var plan = plans[key] else { return false }
    let chance = plan.isManual ? 0 : Jitter.fraction(of: nonce)
    guard plan.call.again(plan.effect, at: time, wait: wait, chance: chance) else { return false }
    rewind(&plan, key)
    return true
  }

  /// A request that is made again and again was answered, and goes on.
  mutating func goOn(_ key: EffectKey, at time: Int) {
    guard var plan = plans[key], plan.call.goOn(plan.effect, at: time) else { return }
    rewind(&plan, key)
  }

  private mutating func rewind(_ plan: inout Plan, _ key: EffectKey) {
    plan.isCalled = false
    queue.set(key, due: due(plan))
    plans[key] = plan
  }

  /// Whether the effect is known to live.
  func contains(_ key: EffectKey) -> Bool { plans[key] != nil }

  private func due(_ plan: Plan) -> Int? {
    guard !plan.isManual else { return nil }
    return switch plan.effect.work {
    case .timer(_, _, _, .some, let ticks): plan.effect.due(tick: max(ticks, plan.tick) + 1)
    case .timer, .value: plan.tick == 0 ? plan.effect.due : nil
    case .request: plan.isCalled ? nil : plan.call.time(of: plan.effect)
    case .exchange: nil
    }
  }
}
