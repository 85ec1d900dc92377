// Deep links and notifications.
extension Run {
  /// A link that can be followed now: its definition, and its steps with their params.
  private struct Match {
    var link: LinkDefinition
    var steps: [Step]
  }

  mutating func open(_ url: String) throws(Refusal) {
    let match = try match(url)
    if let condition = match.link.requires, !holds(condition, in: Scope()) {
      if let held = state.pendingLink { events.append(Event(.linkDropped, reason: "replaced", url: held.url)) }
      state.pendingLink = PendingLink(url: url, until: stamp.time + match.link.hold)
      events.append(Event(.linkHeld, url: url))
      isPending = true
      return
    }
    switch match.link.action {
    case .broadcast: queueArrival(match)
    case .steps:
      guard let first = match.steps.first else { return }
      try take(Item(step: first, receiver: .visible, emitter: state.visibleLeaf))
      // What the first step's turn appended stands before the link's further steps.
      queue += match.steps.dropFirst().map { Item(step: $0, receiver: .visible) }
    }
  }

  /// "Resumed once": after the turns of the write that made it possible.
  mutating func resumePendingLink() throws(Refusal) {
    guard let held = state.pendingLink else { return }
    guard stamp.time < held.until else {
      state.pendingLink = nil
      events.append(Event(.linkDropped, reason: "expired", url: held.url))
      return
    }
    let match = try match(held.url)
    guard match.link.requires.map({ holds($0, in: Scope()) }) ?? true else { return }
    state.pendingLink = nil
    events.append(Event(.linkResumed, url: held.url))
    queueArrival(match)
  }

  private mutating func queueArrival(_ match: Match) {
    switch match.link.action {
    case .steps: queue += match.steps.map { Item(step: $0, receiver: .visible, emitter: state.visibleLeaf) }
    case .broadcast:
      for step in match.steps {
        queue += state.flows(from: state.root).map { Item(step: step, receiver: .flow($0), isBroadcast: true) }
      }
    }
  }

  /// The first link in file order that takes the URL.
  private mutating func match(_ text: String) throws(Refusal) -> Match {
    if let url = LinkURL(text) {
      for link in definition.links {
        guard let captures = link.captures(from: url) else { continue }
        let templates =
          switch link.action {
          case .steps(let steps): steps
          case .broadcast(let step): [step]
          }
        var steps: [Step] = []
        for template in templates { steps.append(try step(of: template, captures: captures)) }
        return Match(link: link, steps: steps)
      }
    }
    throw Refusal(.unknownLink, "\(definition.app) has no link for this URL", faults: [.init(pointer: "/url", detail: knownLinks)])
  }

  private var knownLinks: String {
    let shapes = definition.links.map { link in
      let path = link.path.map { segment in
        switch segment {
        case .literal(let literal): "/\(literal)"
        case .capture(let name): "/{\(name)}"
        }
      }.joined()
      let starts = link.hosts.map { "https://\($0)" } + link.schemes.map { "\($0):/" }
      return starts.map { $0 + path }.joined(separator: ", ")
    }
    return shapes.isEmpty ? "there are no links here" : "must be like \(shapes.joined(separator: ", "))"
  }

  /// Captures are text: a param that takes one as it is reads it as its own type.
  private mutating func step(of template: StepTemplate, captures: [String: String]) throws(Refusal) -> Step {
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
    return Step(template.step, params: checked)
  }

  /// A notification that is only received never navigates; a tap acts as its link, unless it is suppressed.
  mutating func notify(url: String?, category: String?, tap: Bool) throws(Refusal) {
    var scope = Scope()
    if let url, let match = try? match(url) { scope.params = match.steps.first?.params ?? [:] }
    var isSuppressed = false
    for rule in definition.notifications.suppress where rule.category == nil || rule.category == category {
      if holds(rule.when, in: scope) { isSuppressed = true }
    }
    guard tap else {
      let kind: Event.Kind = isSuppressed ? .notificationSuppressed : .notificationShown
      reason = isSuppressed ? "suppressed" : "received"
      return events.append(Event(kind, url: url, category: category))
    }
    guard !isSuppressed else {
      throw Refusal(.suppressed, "a notification of the category \(category ?? "(none)") is not shown here")
    }
    events.append(Event(.notificationOpened, url: url, category: category))
    guard let url else { return reason = "no-link" }
    try open(url)
  }
}
