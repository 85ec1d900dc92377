// Links that wait for their guard, in the order of their coming.
extension Run {
  /// Holds a link, and sends what it says is to be done meanwhile. One too many takes the place of the oldest, the same URL its own.
  mutating func hold(_ url: String, _ match: LinkMatch) throws(Refusal) {
    if let same = state.pendingLinks.first(where: { $0.url.isExactly(url) }) { dropPendingLink(same.id, "replaced") }
    while state.pendingLinks.count >= max(1, definition.heldLinks) { dropPendingLink(state.pendingLinks[0].id, "replaced") }
    try meter.write(State.itemSize + 2 * url.utf8.count)
    let link = PendingLink(id: LinkID(state.nextLink), url: url, until: stamp.time.addingSaturated(match.link.hold))
    state.nextLink += 1
    state.pendingLinks.append(link)
    note(Event(.linkHeld, url: url, link: link.id))
    isPending = true
    heldLink = link.id
    guard let otherwise = match.link.otherwise else { return }
    try sendArrival(otherwise, match.captures)
  }

  /// The first held link that has become possible is followed: its steps are queued, and true is given. Those that can never be followed
  /// any more are dropped on the way.
  mutating func resumePendingLink() throws(Refusal) -> Bool {
    guard state.hasPendingLinks else { return false }
    try meter.work(state.pendingLinks.count, nodes: 0)
    for held in state.pendingLinks {
      guard stamp.time < held.until else {
        dropPendingLink(held.id, "expired")
        continue
      }
      do {
        let (link, captures) = try link(for: held.url)
        if let condition = link.requires, !holds(condition, in: Scope()) { continue }
        let match = try match(link, captures)
        state.pendingLinks.removeAll { $0.id == held.id }
        note(Event(.linkResumed, url: held.url, link: held.id))
        queue(match.steps[...])
        return true
      } catch {
        // It reads facts, and these fit no more: the action that is running has no part in that.
        dropPendingLink(held.id, error.code.rawValue)
      }
    }
    return false
  }

  /// A held link is let go; nothing if it is not held.
  mutating func dropPendingLink(_ id: LinkID, _ why: String) {
    guard let index = state.pendingLinks.firstIndex(where: { $0.id == id }) else { return }
    let link = state.pendingLinks.remove(at: index)
    note(Event(.linkDropped, reason: why, url: link.url, link: id))
  }

  /// All held links are let go.
  mutating func dropPendingLinks(_ why: String) {
    for link in state.pendingLinks { dropPendingLink(link.id, why) }
  }

  /// The action `cancel`.
  mutating func cancel(_ link: LinkID) throws(Refusal) {
    guard !state.pendingLinks.contains(where: { $0.id == link }) else { return dropPendingLink(link, "cancelled") }
    guard (1..<state.nextLink).contains(link.number) else {
      throw Refusal(
        .invalid, "\(link) was never given out", faults: [.init(pointer: "/link", detail: "must be the id of a link that is held")])
    }
    throw Refusal(.linkGone, "\(link) is not held any more")
  }
}
