extension PendingLink {
  /// The expiry of the held link, as an effect.
  var end: Effect { Effect(id: Effect.end(of: id), owner: nil, start: until, work: .value(.null, delay: 0, then: nil, otherwise: nil)) }
}

extension Effect {
  /// The id of the effect that ends a held link. The id is negative, so no other effect has the same id.
  public static func end(of link: LinkID) -> Effect.ID { -link.number }

  /// Whether one effect precedes another that is due at the same time. The ends of held links and held actions precede other effects; within each kind,
  /// the order of creation applies.
  public static func comes(_ one: Effect.ID, before other: Effect.ID) -> Bool {
    one > 0 && other > 0 ? one < other : one > 0 ? false : other > 0 || one > other
  }
}

extension State {
  /// The effects that depend on a clock now: all except those that have not begun (`isIdle`) and the timers that wait until their page is uncovered.
  public var upcoming: [Effect] {
    let all = scheduled
    return all.contains { $0.isIdle || $0.covered == .wait } ? all.filter { !$0.isIdle && !$0.isWaiting(in: self) } : all
  }

  /// Whether a timer is due at the time of the manual clock, because its page was uncovered after its deadline. The ticks of a repeating
  /// timer up to the clock's time have already run, unless one of them has waited.
  package var hasDueTimer: Bool {
    guard let manualTime else { return false }
    return upcoming.contains { effect in
      guard case .timer = effect.work else { return false }
      return effect.due <= manualTime && (effect.hasWaited || !effect.isRepeating)
    }
  }

  /// The running effects, and the expirations of held links and held actions in the form of effects. The expirations are derived and not stored.
  package var scheduled: [Effect] {
    #if CLIENT_ENGINE
      return pendingLinks.isEmpty ? effects : pendingLinks.map { $0.end } + effects
    #else
      return pendingLinks.isEmpty && heldActions.isEmpty ? effects : pendingLinks.map { $0.end } + heldActions.map { $0.end } + effects
    #endif
  }
}

extension Effect {
  /// Whether a timer waits until its page is uncovered. Alerts count as covering the page, and levels do not, because they are separate windows.
  /// Timers of flows never wait.
  package func isWaiting(in state: State) -> Bool { covered == .wait && isPageCovered(in: state) }

  /// Whether the effect belongs to a page that is covered within its window.
  func isPageCovered(in state: State) -> Bool {
    guard let owner, let record = state.nodes.record(owner) else { return false }
    return record.isLeaf && !record.isFlow && state.isCoveredInWindow(record)
  }
}
