/// The next attempt of a request and its timeout. Used by the service and by scenarios.
package struct CallPlan: Hashable, Sendable {
  /// The time of the next attempt, in milliseconds since 1970; `nil` for the time at which the effect is due.
  private var next: WideInt?
  /// The number of failed attempts.
  private var failed = 0
  /// The time at which the first attempt was sent, in milliseconds since 1970.
  private var left: WideInt?

  package init() {}

  /// The time at which the request may be sent, in milliseconds since 1970.
  package func time(of effect: Effect) -> WideInt { next ?? effect.due }

  /// Records that an attempt is about to be sent, and returns its timeout in milliseconds. All attempts share the effect's timeout or, without one,
  /// `CallLimit.time` since the first attempt. A repeated request gets at most `CallLimit.time` for each attempt.
  package mutating func leave(_ effect: Effect, at time: WideInt) -> WideInt {
    if left == nil { left = time }
    let rest = end(of: effect, orFrom: time).subtractingSaturated(time)
    return effect.terms?.polling == nil ? rest : min(rest, CallLimit.time)
  }

  /// Schedules another attempt after a transient failure. Returns false if no retry is allowed or the time is used up. `wait` is the pause that
  /// the server requested, in milliseconds. `chance`, from 0 up to 1, lengthens the pause by up to a quarter, so that many clients do not retry
  /// at the same moment.
  package mutating func again(_ effect: Effect, at time: WideInt, wait: WideInt?, chance: Double = 0) -> Bool {
    // A repeated request (`every`) needs no retry: it is sent again at its next regular time.
    if goOn(effect, at: time, wait: wait ?? 0) { return true }
    guard let pause = effect.terms?.retry?.pause(after: failed + 1, asked: wait) else { return false }
    let next = time.addingSaturated(pause)
    let end = end(of: effect, orFrom: time)
    guard next < end else { return false }
    failed += 1
    self.next = min(end - 1, next.addingSaturated(WideInt(Double(pause / 4) * chance)))
    return true
  }

  /// Schedules the next call of a repeated request. Returns false if the request is not a repeated one or its deadline has passed.
  @discardableResult package mutating func goOn(_ effect: Effect, at time: WideInt, wait: WideInt = 0) -> Bool {
    guard let next = effect.nextCall(after: time.addingSaturated(wait)), effect.deadline.map({ time < $0 }) ?? true else { return false }
    self.next = min(next, effect.deadline ?? next)
    left = nil
    return true
  }

  private func end(of effect: Effect, orFrom time: WideInt) -> WideInt {
    effect.deadline ?? (left ?? time).addingSaturated(effect.callTime)
  }
}
