extension Reducer {
  /// The URL that an action would open in this state, and the link that matches it, even if the action would be refused. `nil` if the
  /// action opens no URL. For a notification, this is the URL that it would open if it were posted.
  package func opening(of action: Action, in state: State, stamp: Stamp) -> Opening? {
    guard action.kind == .open || action.kind == .notification else { return nil }
    let run = Run(program, state: state, stamp: stamp, meter: .idle)
    var opened: String?
    switch action {
    case .open(let url): opened = url
    case .notification(let url, let category, let tap, let appState, let message):
      let isUsed = tap || message.action != nil || message.reply != nil
      let hows = message.hows(tap: tap, appState: appState)
      if case .link(let url)? = try? Notifications.arrival(run, of: url, category, hows, message, isUsed: isUsed) { opened = url }
    default: break
    }
    guard let opened else { return nil }
    return Opening(url: opened, taken: Links.taken(run, opened).taken)
  }
}

extension Opening {
  /// Creates the opening as people read it: with `…` instead of each secret.
  fileprivate init(url: String, taken: TakenLink?) {
    let link = taken.map { taken in
      TakenLink(index: taken.index, values: taken.values.mapValues { Value(capture: $0).isString ? $0 : "…" })
    }
    self.init(url: SealedURL.shown(url), link: link)
  }
}

extension Definition {
  /// The first link in file order that matches a URL. If no link matches, `refusal` is the reason. `holds` evaluates the condition `when` of a link;
  /// without it, a link matches regardless of its condition.
  package func link(for url: String, where holds: (Guard) -> Bool = { _ in true }) -> (taken: TakenLink?, refusal: Refusal?) {
    guard let parts = LinkURL(url) else { return (nil, unknownLink) }
    let found = link(taking: parts, where: holds)
    guard let place = found.place else { return (nil, found.misfit ?? unknownLink) }
    return (TakenLink(index: place, values: found.captures), nil)
  }

  /// The refusal of a URL that no link matches.
  var unknownLink: Refusal {
    #if CLIENT_ENGINE
      // The engine of a client does not predict that a URL is refused, so it needs no text.
      return Refusal(.unknownLink, "")
    #else
      // At most 16 links are listed: there may be thousands, and any client can send an unknown URL.
      let shapes = links.prefix(16).map { link in link.origins.map { $0 + link.pathText }.joined(separator: ", ") }
      let more = links.count > shapes.count ? ", …" : ""
      let known = shapes.isEmpty ? "the app has no links" : "must be like \(shapes.joined(separator: ", "))\(more)"
      return Refusal(.unknownLink, "\(app) has no link for this URL", faults: [.init(pointer: "/url", detail: known)])
    #endif
  }
}
