import CairnCore

/// Which effects live, and when each has to be looked at. What is here follows from committed states alone. The writer's own.
struct EffectSchedule {
  /// What has to be done now.
  enum Task: Hashable {
    /// A timer or a known value: its end is to be run as an action.
    case run(EffectKey, tick: Int)
    /// A request or a token call is to be sent.
    case call(EffectKey)
  }

  private struct Plan {
    var effect: Effect
    /// Its session has a manual clock: only requests are looked at here.
    var isManual: Bool
    var due: Int?
    /// The last tick that was run, even if it changed nothing.
    var tick = 0
    var isCalled = false
  }

  private var plans: [EffectKey: Plan] = [:]
  private var queue = DueQueue()

  /// How many effects live.
  var count: Int { plans.count }

  /// The next time to look, milliseconds since 1970.
  var earliest: Int? { queue.earliest?.due }

  /// A commit changed a session's effects. Gives those to call at once (a manual clock reached them, or a token call), and those that are gone.
  mutating func follow(
    _ session: String, from before: [Effect], to state: State?
  ) -> (call: [EffectKey], gone: [EffectKey]) {
    let after = state?.effects ?? []
    var gone: [EffectKey] = []
    if before != after {
      let alive = Set(after.map(\.id))
      for effect in before where !alive.contains(effect.id) {
        let key = EffectKey(session: session, effect: effect.id)
        if plans.removeValue(forKey: key) != nil { gone.append(key) }
      }
    }
    var call: [EffectKey] = []
    for effect in after {
      let key = EffectKey(session: session, effect: effect.id)
      var plan = plans[key] ?? Plan(effect: effect, isManual: state?.manualTime != nil)
      plan.effect = effect
      if effect.isRequest, !plan.isCalled, effect.isExchange || state?.manualTime.map({ effect.due <= $0 }) ?? false {
        plan.isCalled = true
        call.append(key)
      }
      schedule(&plan, key)
      plans[key] = plan
    }
    return (call, gone)
  }

  /// What is due, by deadline, then creation; at most `limit`. Ticks that were missed are one.
  mutating func take(at time: Int, limit: Int) -> [Task] {
    var tasks: [Task] = []
    while tasks.count < limit, let item = queue.take(at: time) {
      guard var plan = plans[item.key], plan.due == item.due else { continue }
      plan.due = nil
      switch plan.effect.work {
      case .timer, .value:
        plan.tick = max(plan.tick + 1, plan.effect.tick(at: time))
        tasks.append(.run(item.key, tick: plan.tick))
      case .request, .exchange:
        plan.isCalled = true
        tasks.append(.call(item.key))
      }
      schedule(&plan, item.key)
      plans[item.key] = plan
    }
    return tasks
  }

  /// Whether the effect lives.
  func contains(_ key: EffectKey) -> Bool { plans[key] != nil }

  private mutating func schedule(_ plan: inout Plan, _ key: EffectKey) {
    let due: Int?
    switch plan.effect.work {
    case .timer(_, _, _, .some, let ticks): due = plan.effect.due(tick: max(ticks, plan.tick) + 1)
    case .timer, .value: due = plan.tick == 0 ? plan.effect.due : nil
    case .request: due = plan.isCalled ? nil : plan.effect.due
    case .exchange: due = nil
    }
    guard !plan.isManual, due != plan.due else { return }
    plan.due = due
    if let due { queue.insert(DueQueue.Item(due: due, key: key)) }
  }
}
