import CairnCore

extension Drawing {
  /// The root's start steps; links, notifications and rules lead to the flows that do something with their steps.
  mutating func drawArrivals() {
    guard case .flow(let root) = definition.root.target else { return }
    for start in definition.root.start { add(Graph.Arrow(from: .flow(root), to: .flow(root), label: start.step, kind: .birth)) }
    for link in definition.links {
      let source = add(.link(link.pathText))
      let requires = link.requires?.shortText.cut
      for step in link.steps { add(step, from: source, condition: requires) }
      // The step that is sent while the link waits.
      if let step = link.otherwise { add(step, from: source, word: "else: ", condition: link.requires.map { "not \($0.innerText)".cut }) }
    }
    for taking in definition.notifications.take { draw(taking) }
    for rule in definition.rules {
      let source = add(.rule(rule.when.shortText.cut))
      for hearer in receivers(of: rule.step, from: root) {
        add(Graph.Arrow(from: source, to: .flow(hearer), label: rule.step.step, kind: .send))
      }
    }
  }

  /// A notification that the app takes: a step's way, or the URL that it opens.
  private mutating func draw(_ taking: NotificationDefinition.Taking) {
    let name = "\(taking.category ?? "any") (\(taking.how.map(\.shortText).sorted().joined(separator: ", ")))"
    let condition = taking.when?.shortText.cut
    switch taking.routing {
    case .step(let step): add(step, from: add(.notification(name)), condition: condition)
    case .link(let url):
      let mark = condition.map { " [\($0)]" } ?? ""
      let source = add(.notification("\(name) → \(url.urlText.cut)\(mark)"))
      if let link = link(taking: url) { add(Graph.Arrow(from: source, to: .source(link), label: "", kind: .send, condition: condition)) }
    }
  }

  /// The link that takes a URL, whatever stands in its placeholders; nil: none, or the whole URL comes from outside. The links are the
  /// first sources, in file order.
  private func link(taking url: Expression) -> Int? {
    guard let sample = url.sampleURL else { return nil }
    return definition.link(for: sample).taken?.index ?? definition.links.firstIndex { $0.takes(sample) }
  }

  private mutating func add(_ source: Graph.Source) -> Graph.Place {
    sources.append(source)
    return .source(sources.count - 1)
  }

  /// A step that comes from outside, to whichever flow may be visible.
  private mutating func add(_ step: StepTemplate, from source: Graph.Place, word: String = "", condition: String?) {
    let label = word + (step.to == .all ? "\(step.step) (all)" : step.step)
    for hearer in receivers(of: step) {
      add(Graph.Arrow(from: source, to: .flow(hearer), label: label, kind: .send, condition: condition))
    }
  }
}

extension Definition {
  /// The steps that notifications become.
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
  /// A URL with a value in each placeholder that most types take; nil: nothing of it is known.
  fileprivate var sampleURL: String? {
    switch self {
    case .literal(.string(let text)): text
    case .template(let parts): parts.map { if case .text(let text) = $0 { text } else { "0" } }.joined()
    default: nil
    }
  }

  /// A URL, with `{name}` where a value is put in.
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
