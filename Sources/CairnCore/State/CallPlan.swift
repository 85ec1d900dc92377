/// The schedule of a request's attempts, for the service and for scenarios.
package struct CallPlan: Hashable, Sendable {
  /// The time of the next attempt in milliseconds since 1970; `nil` for the effect's own time.
  private var next: WideInt?
  /// The number of failed attempts.
  private var failed = 0
  /// The time of the first attempt.
  private var left: WideInt?

  package init() {}

  /// The time of the next attempt in milliseconds since 1970.
  package func time(of effect: Effect) -> WideInt { next ?? effect.due }

  /// Records that an attempt is sent. Returns its timeout in milliseconds: the rest of the effect's timeout, or else of the limit of a call since the
  /// first attempt. For a repeated request it starts again with each attempt.
  package mutating func leave(_ effect: Effect, at time: WideInt) -> WideInt {
    if left == nil { left = time }
    let rest = end(of: effect, orFrom: time).subtractingSaturated(time)
    return effect.terms?.polling == nil ? rest : min(rest, CallLimit.time)
  }

  /// Schedules another attempt after a temporary failure. Returns false if no attempt or time is left. `wait` is the pause that the server asks for
  /// in milliseconds. `chance`, from 0 up to 1, extends the pause by up to a quarter, so that many requests are not repeated at the same time.
  package mutating func again(_ effect: Effect, at time: WideInt, wait: WideInt?, chance: Double = 0) -> Bool {
    // A repeated request is sent at its next regular time.
    if goOn(effect, at: time, wait: wait ?? 0) { return true }
    guard let pause = effect.terms?.retry?.pause(after: failed + 1, asked: wait) else { return false }
    let next = time.addingSaturated(pause)
    let end = end(of: effect, orFrom: time)
    guard next < end else { return false }
    failed += 1
    self.next = min(end - 1, next.addingSaturated(WideInt(Double(pause / 4) * chance)))
    return true
  }

  /// Schedules the next attempt of a repeated request after a response. Returns false if the request is not repeated, or if its time has passed.
  @discardableResult package mutating func goOn(_ effect: Effect, at time: WideInt, wait: WideInt = 0) -> Bool {
    guard let next = effect.nextCall(after: time.addingSaturated(wait)), effect.deadline.map({ time < $0 }) ?? true else { return false }
    self.next = min(next, effect.deadline ?? next)
    left = nil
    return true
  }

  private func end(of effect: Effect, orFrom time: WideInt) -> WideInt { effect.deadline ?? (left ?? time).addingSaturated(CallLimit.time) }
}
