import CairnCore

extension TwoSides {
  /// Runs all waiting posts in a copy of both sides, while nothing else happens. The service's tree must then be the tree that the client shows now, and the
  /// fact `away` must be at least the client's prediction of it.
  mutating func checkDrain() {
    // The client cannot know the result of an unpredictable action, nor the nodes that were on top before the client lost entries.
    guard !isPaused, !hasLostEntries, !replica.isHeldUp, !queue.isEmpty else { return }
    var drained = self
    while !drained.queue.isEmpty { drained.deliver() }
    drains += 1
    let (shown, confirmed) = (replica.tree.sketch, drained.reducer.tree(of: drained.service).sketch)
    if shown != confirmed { faults.append("the client shows \(shown), and all posts lead to \(confirmed)") }
    let away = (shown: replica.shown.away, confirmed: drained.service.away)
    if away.confirmed < away.shown { faults.append("the app was away for \(away.confirmed) ms instead of at least \(away.shown)") }
  }
}

extension State {
  fileprivate var away: WideInt {
    guard case .integer(let time)? = facts[FactDefinition.away] else { return 0 }
    return WideInt(time)
  }
}
