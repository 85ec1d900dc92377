// Modals on levels: how they come, wait, and go with the flow that presented them.
extension Run {
  /// Modals that wait at the same time, in a session.
  static let waitingLimit = 16

  /// The operation `present` with a level: on the root, for the handling flow. What finds its place taken is refused, takes it, or waits.
  mutating func present(
    _ mold: Mold, _ place: Operation.Level, style: PresentationStyle, replace: Bool, in performance: borrowing Performance
  ) throws(Refusal) {
    let owner = contributor(for: performance.flow)
    guard state.stands(owner) else { throw Refusal(.flowGone, "who would present it is gone") }
    let holder = state.nodes.levels.first { state.nodes.record($0)?.level == place.number }
    if let holder, replace {
      remove(holder)
    } else if let holder, !place.queue {
      throw Refusal(.alreadyPresenting, "the level \(place.number) holds \(name(of: holder)) already")
    }
    let isTaken = holder != nil && !replace || place.queue && state.nodes.waiting.contains { state.nodes.record($0)?.level == place.number }
    guard !isTaken || state.nodes.waiting.count < Run.waitingLimit else {
      throw Refusal(.alreadyPresenting, "\(Run.waitingLimit) modals wait to be presented, which is the most")
    }
    let id = try make(mold, owner: owner, parent: state.root, scope: performance.scope)
    dress(id, style)
    state.nodes.setLevel(place.number, waits: isTaken, of: id)
  }

  /// Presents those that wait and whose place is free, the oldest first.
  mutating func presentWaiting() {
    guard state.nodes.hasLevels else { return }
    for id in state.nodes.waiting {
      guard let level = state.nodes.record(id)?.level else { continue }
      let isFree = !state.nodes.levels.contains { state.nodes.record($0)?.level == level }
      if isFree { state.nodes.setLevel(level, waits: false, of: id) }
    }
  }

  /// Takes away the modals on levels, and those that wait, whose flow has ended or has no place any more: nobody hears what they say.
  mutating func removeOrphans() {
    guard state.nodes.hasLevels else { return }
    // One that goes may take others with it.
    while let orphan = (state.nodes.waiting + state.nodes.levels.reversed()).first(where: { isOrphan($0) }) { remove(orphan) }
  }

  private func isOrphan(_ modal: NodeID) -> Bool {
    guard let owner = state.nodes.record(modal)?.ownerID else { return true }
    return !state.isAlive(flow: owner) || !state.stands(owner)
  }

  /// A client's step or gesture reaches nothing that a higher level lies over, whatever the node or the definition says of what is covered.
  func checkLevel(_ record: NodeRecord) throws(Refusal) {
    guard state.isBelowLevel(record) else { return }
    let front = state.nodes.levels.last.map { name(of: $0) } ?? ""
    let why = state.isWaiting(record.nodeID) ? "waits to be presented" : "lies under \(front), which is on a higher level"
    throw Refusal(.hidden, "\(state.nodes.name(of: record)) (\(record.nodeID)) \(why)")
  }
}
