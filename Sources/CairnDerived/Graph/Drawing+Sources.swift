import CairnCore

extension Drawing {
  /// Draws the root's start steps, and the arrows from links, notifications and rules to the flows that handle their steps.
  mutating func drawArrivals() throws(Graph.TooLarge) {
    guard case .flow(let root) = definition.root.target else { return }
    for start in definition.root.start { try add(Graph.Arrow(from: .flow(root), to: .flow(root), label: start.step, kind: .birth)) }
    for link in definition.links {
      let source = add(.link(link.pathText))
      let conditions = [link.when, link.requires].compactMap { $0?.shortText }
      for step in link.steps { try add(step, from: source, condition: conditions.isEmpty ? nil : conditions.joined(separator: ", ").cut) }
      // The step that is sent when the link is held.
      if let step = link.otherwise {
        try add(step, from: source, word: "else: ", condition: link.requires.map { "not \($0.innerText)".cut })
      }
    }
    if let unmatched = definition.unmatched { try add(unmatched, from: add(.link("unmatched")), condition: nil) }
    for taking in definition.notifications.take { try draw(taking) }
    for rule in definition.rules {
      let source = add(.rule(rule.when.shortText.cut))
      for handlingFlow in receivers(of: rule.step, from: root) {
        try add(Graph.Arrow(from: source, to: .flow(handlingFlow), label: rule.step.step, kind: .send))
      }
    }
  }

  /// Draws an element of `take`: its step, or the link whose URL it opens.
  private mutating func draw(_ taking: NotificationDefinition.Taking) throws(Graph.TooLarge) {
    let name = "\(taking.category ?? "any") (\(taking.how.map(\.shortText).sorted().joined(separator: ", ")))"
    let condition = taking.when?.shortText.cut
    switch taking.routing {
    case .step(let step): try add(step, from: add(.notification(name)), condition: condition)
    case .link(let url):
      let mark = condition.map { " [\($0)]" } ?? ""
      let source = add(.notification("\(name) → \(url.urlText.cut)\(mark)"))
      if let link = link(taking: url) {
        try add(Graph.Arrow(from: source, to: .source(link), label: "", kind: .send, condition: condition))
      }
    }
  }

  /// The index of the link that matches a URL with a sample value in each placeholder; `nil` if no link matches, or if the whole URL is
  /// dynamic. The index also applies to `sources`, because the links are the first sources.
  private func link(taking url: Expression) -> Int? {
    guard let sample = url.sampleURL else { return nil }
    return definition.link(for: sample).taken?.index ?? definition.links.firstIndex { $0.takes(sample) }
  }

  private mutating func add(_ source: Graph.Source) -> Graph.Place {
    sources.append(source)
    return .source(sources.count - 1)
  }

  /// Draws a step from outside to all flows that may receive it.
  private mutating func add(_ step: StepTemplate, from source: Graph.Place, word: String = "", condition: String?) throws(Graph.TooLarge) {
    let label = word + (step.to == .all ? "\(step.step) (all)" : step.step)
    for handlingFlow in receivers(of: step) {
      try add(Graph.Arrow(from: source, to: .flow(handlingFlow), label: label, kind: .send, condition: condition))
    }
  }
}

extension Definition {
  /// The steps into which notifications are converted.
  var taken: [StepTemplate] {
    notifications.take.compactMap { if case .step(let step) = $0.routing { step } else { nil } }
  }
}

extension NotificationDefinition.How {
  fileprivate var shortText: String {
    switch self {
    case .action(let name): "action \(name)"
    default: Self.words.first { $0.how == self }?.word ?? ""
    }
  }
}

extension Expression {
  /// The URL with `0` in each placeholder, because most types accept that value; `nil` if the whole URL is dynamic.
  fileprivate var sampleURL: String? {
    switch self {
    case .literal(.string(let text)): text
    case .template(let parts): parts.map { if case .text(let text) = $0 { text } else { "0" } }.joined()
    default: nil
    }
  }

  /// The URL with `{name}` instead of each value.
  fileprivate var urlText: String {
    switch self {
    case .literal(.string(let text)): text
    case .template(let parts):
      parts.map { part in
        switch part {
        case .text(let text): text
        case .reference(.param(let name)): "{\(name)}"
        case .reference: "{…}"
        }
      }.joined()
    default: "…"
    }
  }
}
