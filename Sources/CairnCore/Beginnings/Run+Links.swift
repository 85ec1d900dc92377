// Deep links and notifications.
extension Run {
  /// A link that can be followed now: its definition, and its steps with their params.
  private struct Match {
    var link: LinkDefinition
    var steps: [(intent: Intent, to: Operation.Destination?)]
  }

  mutating func open(_ url: String) throws(Refusal) {
    try checkLength(of: url)
    let match = try match(url)
    if let condition = match.link.requires, !holds(condition, in: Scope()) {
      dropPendingLink("replaced")
      try meter.write(2 * url.utf8.count)
      state.pendingLink = PendingLink(url: url, until: stamp.time.addingSaturated(match.link.hold))
      note(Event(.linkHeld, url: url))
      isPending = true
      return
    }
    guard let first = match.steps.first else { return }
    guard first.to != .all else { return queue(match.steps[...]) }
    try take(Turns.Item(intent: first.intent, receiver: receiver(of: first.to)))
    // What the first step's turn appended stands before the link's further steps.
    queue(match.steps.dropFirst())
  }

  /// "Resumed once": after the turns of the write that made it possible.
  mutating func resumePendingLink() {
    guard let held = state.pendingLink else { return }
    guard stamp.time < held.until else { return dropPendingLink("expired") }
    guard let (link, captures) = link(for: held.url) else { return dropPendingLink(Refusal.Code.unknownLink.rawValue) }
    guard link.requires.map({ holds($0, in: Scope()) }) ?? true else { return }
    let match: Match
    do {
      match = try self.match(link, captures)
    } catch {
      // It reads facts, and these fit no more: the action that is running has no part in that.
      return dropPendingLink(error.code.rawValue)
    }
    state.pendingLink = nil
    note(Event(.linkResumed, url: held.url))
    queue(match.steps[...])
  }

  mutating func dropPendingLink(_ why: String) {
    guard let link = state.pendingLink else { return }
    state.pendingLink = nil
    note(Event(.linkDropped, reason: why, url: link.url))
  }

  private mutating func queue(_ steps: ArraySlice<(intent: Intent, to: Operation.Destination?)>) {
    for step in steps { turns.enqueue(Turns.Item(intent: step.intent, receiver: receiver(of: step.to))) }
  }

  /// No flow speaks when a link comes in, so none is the current one, nor its parent.
  private func receiver(of destination: Operation.Destination?) -> Turns.Item.Receiver {
    switch destination {
    case .flow(let name): .named(name, from: nil)
    case .root: .flow(state.root)
    case .all: .all
    case nil, .parent, .current: .visible
    }
  }

  /// The first link in file order that takes the URL.
  private func link(for text: String) -> (link: LinkDefinition, captures: [String: String])? {
    guard let url = LinkURL(text) else { return nil }
    for link in definition.links {
      if let captures = link.captures(from: url) { return (link, captures) }
    }
    return nil
  }

  private func match(_ text: String) throws(Refusal) -> Match {
    guard let (link, captures) = link(for: text) else {
      throw Refusal(.unknownLink, "\(definition.app) has no link for this URL", faults: [.init(pointer: "/url", detail: knownLinks)])
    }
    return try match(link, captures)
  }

  private func match(_ link: LinkDefinition, _ captures: [String: String]) throws(Refusal) -> Match {
    var steps: [(intent: Intent, to: Operation.Destination?)] = []
    for template in link.steps { steps.append((try step(of: template, captures: captures), template.to)) }
    return Match(link: link, steps: steps)
  }

  private var knownLinks: String {
    let shapes = definition.links.map { link in
      let path = link.path.map { segment in
        switch segment {
        case .literal(let literal): "/\(literal)"
        case .capture(let name): "/{\(name)}"
        }
      }.joined()
      return link.origins.map { $0 + path }.joined(separator: ", ")
    }
    return shapes.isEmpty ? "there are no links here" : "must be like \(shapes.joined(separator: ", "))"
  }

  /// Captures are text: a param that takes one as it is reads it as its own type.
  private func step(of template: StepTemplate, captures: [String: String]) throws(Refusal) -> Intent {
    let types = definition.steps[template.step]?.params ?? [:]
    let texts = captures.mapValues(Value.string)
    var params: [String: Value] = [:]
    for (name, expression) in template.with {
      if case .reference(.param(let capture)) = expression, let text = captures[capture] {
        params[name] = types[name]?.read(text) ?? .string(text)
      } else {
        params[name] = value(of: expression, in: Scope(params: texts))
      }
    }
    let (checked, faults) = ParameterDefinition.check(params, against: types)
    guard faults.isEmpty else {
      let all = faults.map { Refusal.Fault(pointer: "/url", detail: "\($0.name) \($0.fault)") }
      throw Refusal(.invalid, "the link does not fit the step \(template.step)", faults: all)
    }
    return intent(Step(template.step, params: checked))
  }

  /// A notification that is only received never navigates; a tap acts as its link, unless it is suppressed.
  mutating func notify(url: String?, category: String?, tap: Bool) throws(Refusal) {
    var scope = Scope()
    if let url { try checkLength(of: url) }
    if let category { try meter.write(.string(category), as: "the category") }
    if let url, let match = try? match(url) { scope.params = match.steps.first?.intent.step.params ?? [:] }
    var isSuppressed = false
    for rule in definition.notifications.suppress where rule.category == nil || rule.category.isExactly(category) {
      if holds(rule.when, in: scope) { isSuppressed = true }
    }
    guard tap else {
      let kind: Event.Kind = isSuppressed ? .notificationSuppressed : .notificationShown
      reason = isSuppressed ? "suppressed" : "received"
      return note(Event(kind, url: url, category: category))
    }
    guard !isSuppressed else {
      throw Refusal(.suppressed, "a notification of the category \(category ?? "(none)") is not shown here")
    }
    note(Event(.notificationOpened, url: url, category: category))
    guard let url else { return reason = "no-link" }
    try open(url)
  }
}
