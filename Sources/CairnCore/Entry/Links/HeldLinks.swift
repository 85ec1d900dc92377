/// Holds links that cannot be followed yet, in the order of their arrival, and later follows or drops them.
enum HeldLinks {
  /// The reason why a link is held.
  enum Reason {
    /// The link's own condition is false.
    case requires
    /// A modal that refuses to be removed would cover the page that the link opens.
    case guarded
    /// The condition of a tab that the link selects is false.
    case gated(NodeID)

    /// The reason in the event and in the response; `nil` if the link is held because of its own condition.
    fileprivate var word: String? {
      switch self {
      case .requires: nil
      case .guarded: Refusal.Code.guarded.rawValue
      case .gated: NoChange.requires.rawValue
      }
    }
  }

  /// Holds a link, and sends the `else` step of the link or of the tab that stops it. At the limit of held links, the new link replaces the
  /// oldest one. It also replaces a held link that matches the same link of the definition with the same captures, even if the URLs are
  /// written differently.
  static func hold(_ run: inout Run, _ url: String, _ match: LinkMatch, _ why: Reason) throws(Refusal) {
    if let same = try held(&run, like: url) { drop(&run, same, "replaced") }
    while run.state.pendingLinks.count >= max(1, run.definition.heldLinks) { drop(&run, run.state.pendingLinks[0].id, "replaced") }
    try run.meter.write(State.itemSize + 2 * url.utf8.count)
    let link = run.state.linkBook.hold(url, until: run.stamp.time.addingSaturated(match.link.hold))
    run.report.note(Event(.linkHeld, reason: why.word, url: url, link: link))
    run.report.noteHeld(link)
    switch why {
    case .requires: if let otherwise = match.link.otherwise { try Links.sendArrival(&run, otherwise, match.captures) }
    case .guarded: run.report.noteGuarded(true)
    case .gated(let tab):
      run.report.tell(.requires)
      try TabGates.sendElse(&run, of: tab)
    }
  }

  /// The held link whose URL matches the same link of the definition as `url`, with the same captures; `nil` if there is none.
  private static func held(_ run: inout Run, like url: String) throws(Refusal) -> LinkID? {
    guard run.state.hasPendingLinks, let link = Links.taken(run, url).taken else { return nil }
    try run.meter.work(run.state.pendingLinks.count, nodes: 0)
    for held in run.state.pendingLinks {
      guard let other = Links.taken(run, held.url).taken, other.index == link.index, other.values.count == link.values.count else {
        continue
      }
      if other.values.allSatisfy({ name, value in link.values[name].isExactly(value) }) { return held.id }
    }
    return nil
  }

  /// Goes through the held links, and follows the first one whose condition is true: queues its steps, or asks a guard first. Returns
  /// whether it has found such a link. Drops the expired links before it, and those that can no longer be followed. While a question is
  /// open, all held links wait, so that no link replaces the page about which the user was asked.
  static func resume(_ run: inout Run) throws(Refusal) -> Bool {
    guard run.state.hasPendingLinks, !run.state.isAsking else { return false }
    try run.meter.work(run.state.pendingLinks.count, nodes: 0)
    for held in run.state.pendingLinks {
      guard run.stamp.time < held.until else {
        drop(&run, held.id, "expired")
        continue
      }
      let before = run.state
      do {
        let (link, captures) = try Links.link(run, for: held.url)
        if let condition = link.requires, !run.holds(condition, in: Scope()) { continue }
        let match = try Links.match(run, link, captures)
        switch try Asking.verdict(&run, match.steps, opening: held.url, as: held.id) {
        case .goes: break
        case .asked: return true
        case .waits, .gated: continue
        }
        _ = run.state.linkBook.release(held.id)
        run.report.note(Event(.linkResumed, url: held.url, link: held.id))
        Links.follow(&run, match.steps)
        return true
      } catch {
        // The link reads facts that do not have the required types, or no flow handles the step of a guard. The running action is not
        // refused because of it.
        run.undo(to: before)
        drop(&run, held.id, error.code.rawValue)
      }
    }
    return false
  }

  /// Drops a held link. Does nothing if the link is not held.
  static func drop(_ run: inout Run, _ id: LinkID, _ why: String) {
    guard let link = run.state.linkBook.release(id) else { return }
    run.report.note(Event(.linkDropped, reason: why, url: link.url, link: id))
  }

  /// Drops all held links, including a link that waits for the answer to a question.
  static func dropAll(_ run: inout Run, _ why: String) {
    if run.state.question?.link != nil { Questions.end(&run, why) }
    for link in run.state.pendingLinks { drop(&run, link.id, why) }
  }

  /// Performs the action `cancel` with a link. If the link waits for the answer to a question, the question ends. Throws `link-gone` if the link is no longer
  /// held, and `invalid` if its number has never been assigned.
  static func letGo(_ run: inout Run, _ link: LinkID) throws(Refusal) {
    guard run.state.question?.link != link else { return Questions.end(&run, "cancelled") }
    guard !run.state.pendingLinks.contains(where: { $0.id == link }) else { return drop(&run, link, "cancelled") }
    guard run.state.linkBook.wasIssued(link) else {
      throw Refusal(
        .invalid, "no held link has had the id \(link)", faults: [.init(pointer: "/link", detail: "must be the id of a held link")])
    }
    throw Refusal(.linkGone, "\(link) is no longer held")
  }
}
