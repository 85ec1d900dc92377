/// The conditions under which an effect runs.
struct EffectTerms {
  var whileVisible = false
  var covered = Timer.Covered.fire
  /// Whether the effect does not run yet (`Effect.isIdle`).
  var isIdle = false
  var isMoment = false
  var zone: String?
  var timeOfDay: WideInt = 0
  var to: Operation.Destination?
}

/// The running effects of a session: timers, loads, token requests and messages.
struct EffectBook: Sendable {
  /// The running effects in the order of their creation.
  private(set) var running: [Effect]
  /// Whether a repeating timer may wait while its page is covered. Like `mayFollowCover`, this value is stored: every action needs it, and
  /// searching the effects would copy each of them.
  private(set) var mayHaveWaitingTicks = false
  /// Whether an effect may stop when its node is covered, or begin when its node is seen.
  private(set) var mayFollowCover = false
  /// The number of the next effect. Numbers are never reused.
  private(set) var next: WideInt

  init(running: [Effect] = [], next: WideInt = 1) {
    self.running = running
    self.next = next
    for effect in running { note(effect) }
  }

  private mutating func note(_ effect: Effect) {
    #if !CLIENT_ENGINE
      // Only the service runs repeating timers.
      if effect.covered == .wait, effect.isRepeating { mayHaveWaitingTicks = true }
    #endif
    if effect.whileVisible || effect.isIdle || effect.closes { mayFollowCover = true }
  }

  /// The effect with this number; `nil` if the effect has ended or never existed.
  subscript(id: Effect.ID) -> Effect? { running.first { $0.id == id } }

  func contains(where isMeant: (Effect) -> Bool) -> Bool { running.contains(where: isMeant) }

  /// Starts an effect at `time`, in milliseconds since 1970.
  mutating func start(_ work: Effect.Work, owner: NodeID?, at time: WideInt, received: WideInt? = nil, _ terms: EffectTerms) {
    var effect = Effect(
      id: next, owner: owner, start: time, work: work, whileVisible: terms.whileVisible, covered: terms.covered, to: terms.to)
    effect.isIdle = terms.isIdle
    effect.isMoment = terms.isMoment
    effect.zone = terms.zone
    effect.timeOfDay = terms.timeOfDay
    #if !CLIENT_ENGINE
      effect.received = received == time ? nil : received
    #endif
    note(effect)
    running.append(effect)
    next += 1
  }

  /// Skips the number of a message that only the service starts, so that the later effects have the same numbers as in the service.
  mutating func skipNumber() { next += 1 }

  /// Starts an effect of an earlier state again, with a new number, at `time` in milliseconds since 1970.
  mutating func restart(_ effect: Effect, at time: WideInt) {
    var effect = effect
    (effect.id, effect.start) = (next, time)
    #if !CLIENT_ENGINE
      effect.received = nil
    #endif
    note(effect)
    running.append(effect)
    next += 1
  }

  /// Restarts a daily timer that was due, with a new number. `moment` is its next time in milliseconds since 1970.
  mutating func startAgain(_ effect: Effect, at moment: WideInt, from time: WideInt) {
    guard case .timer(let name, let step, _, _, _) = effect.work else { return }
    var next = effect
    next.work = .timer(name: name, step: step, delay: moment - time, period: nil, ticks: 0)
    restart(next, at: time)
  }

  /// Changes an effect. Does nothing if the effect is not running.
  mutating func change(_ id: Effect.ID, _ change: (inout Effect) -> Void) {
    if let index = running.firstIndex(where: { $0.id == id }) { change(&running[index]) }
  }

  /// Removes an effect that has ended.
  mutating func end(_ id: Effect.ID) { running.removeAll { $0.id == id } }

  /// Removes and returns the effects that satisfy the predicate.
  mutating func takeBack(where isMeant: (Effect) -> Bool) -> [Effect] {
    let gone = running.filter(isMeant)
    if !gone.isEmpty { running.removeAll(where: isMeant) }
    return gone
  }

  /// Stores the newest tick of a repeating timer that changed the state.
  mutating func noteTick(_ tick: WideInt, of id: Effect.ID) {
    change(id) { effect in
      guard case .timer(let name, let step, let delay, let period, _) = effect.work else { return }
      effect.work = .timer(name: name, step: step, delay: delay, period: period, ticks: tick)
    }
  }
}

extension EffectBook: Hashable {
  static func == (one: EffectBook, other: EffectBook) -> Bool { one.next == other.next && one.running == other.running }

  func hash(into hasher: inout Hasher) { hasher.combine(next) }
}
