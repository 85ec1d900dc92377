/// When a request is made next, and how long it may take: what the service goes by, and a scenario.
package struct CallPlan: Hashable, Sendable {
  /// Milliseconds since 1970; nil: when the effect says.
  private var next: WideInt?
  /// Attempts that failed.
  private var failed = 0
  /// When the first attempt left.
  private var left: WideInt?

  package init() {}

  /// When it may be made, milliseconds since 1970.
  package func time(of effect: Effect) -> WideInt { next ?? effect.due }

  /// An attempt is about to leave; how many milliseconds it has: what its effect says for all attempts, else what a call may take since the first one
  /// left. One that is made again and again has that each time.
  package mutating func leave(_ effect: Effect, at time: WideInt) -> WideInt {
    if left == nil { left = time }
    let rest = end(of: effect, orFrom: time).subtractingSaturated(time)
    return effect.terms?.polling == nil ? rest : min(rest, CallLimit.time)
  }

  /// An attempt failed in a way that may pass: it is made again, if it may be and there is time; whether it is. `wait`: milliseconds that the server
  /// asks for. `chance`: from 0 up to 1, by which the pause becomes up to a quarter longer, so that many do not come at the same moment.
  package mutating func again(_ effect: Effect, at time: WideInt, wait: WideInt?, chance: Double = 0) -> Bool {
    // A repeated request is simply sent at its next time.
    if goOn(effect, at: time, wait: wait ?? 0) { return true }
    guard let pause = effect.terms?.retry?.pause(after: failed + 1, asked: wait) else { return false }
    let next = time.addingSaturated(pause)
    let end = end(of: effect, orFrom: time)
    guard next < end else { return false }
    failed += 1
    self.next = min(end - 1, next.addingSaturated(WideInt(Double(pause / 4) * chance)))
    return true
  }

  /// Continues a repeated request after a response; returns false if it is not a repeated one, or if its time has passed.
  @discardableResult package mutating func goOn(_ effect: Effect, at time: WideInt, wait: WideInt = 0) -> Bool {
    guard let next = effect.nextCall(after: time.addingSaturated(wait)), effect.deadline.map({ time < $0 }) ?? true else { return false }
    self.next = min(next, effect.deadline ?? next)
    left = nil
    return true
  }

  private func end(of effect: Effect, orFrom time: WideInt) -> WideInt { effect.deadline ?? (left ?? time).addingSaturated(CallLimit.time) }
}
