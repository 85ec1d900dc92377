/// A step of what came from outside, and who gets it; nil: the flow of the visible screen.
struct ArrivedStep {
  var intent: Intent
  var to: Operation.Destination?
}

/// A link that takes a URL: its steps with their params, and what it captured.
struct LinkMatch {
  var link: LinkDefinition
  var steps: [ArrivedStep]
  var captures: [String: String]
}

// Deep links.
extension Run {
  mutating func open(_ url: String) throws(Refusal) {
    try checkLength(of: url)
    let match = try match(url)
    if let condition = match.link.requires, !holds(condition, in: Scope()) { return try hold(url, match) }
    try arrive(match.steps[...])
  }

  /// The steps of what came from outside. The first one's turn is the action's own.
  mutating func arrive(_ steps: ArraySlice<ArrivedStep>) throws(Refusal) {
    guard let first = steps.first else { return }
    guard first.to != .all else { return queue(steps) }
    try take(Turns.Item(intent: first.intent, receiver: receiver(of: first.to)))
    // What the first step's turn appended stands before the further steps.
    queue(steps.dropFirst())
  }

  /// Has the steps of what came from outside wait for their turns.
  mutating func queue(_ steps: ArraySlice<ArrivedStep>) {
    for step in steps { turns.enqueue(Turns.Item(intent: step.intent, receiver: receiver(of: step.to))) }
  }

  /// No flow speaks when something comes in, so none is the current one, nor its parent.
  private func receiver(of destination: Operation.Destination?) -> Turns.Item.Receiver {
    switch destination {
    case .flow(let name): .named(name, from: nil)
    case .root: .flow(state.root)
    case .all: .all
    case nil, .parent, .current: .visible
    }
  }

  /// A step that an arrival has sent beside its own: to the flow of the visible screen if it does not say otherwise, and with no speaker.
  mutating func sendArrival(_ template: StepTemplate, _ captures: [String: String]) throws(Refusal) {
    do {
      let intent = try step(of: template, given: captures.mapValues(Value.string)).intent
      send(intent, to: template.to, as: .toCurrent, by: nil, emitter: nil, otherwise: visibleHearer)
    } catch  where !error.code.isBound {
      drop(Step(template.step), error.code.rawValue)
    }
  }

  /// The first link in file order that takes the URL, with its steps.
  func match(_ text: String) throws(Refusal) -> LinkMatch {
    let (link, captures) = try link(for: text)
    return try match(link, captures)
  }

  /// A link that takes a URL, with its steps. These may read facts.
  func match(_ link: LinkDefinition, _ captures: [String: String]) throws(Refusal) -> LinkMatch {
    let given = captures.mapValues(Value.string)
    var steps: [ArrivedStep] = []
    for template in link.steps { steps.append(try step(of: template, given: given)) }
    return LinkMatch(link: link, steps: steps, captures: captures)
  }

  /// The first link in file order that takes the URL: its path, and the types of what it captures. Where a path alone is right, what the
  /// first of these does not take is told.
  func link(for text: String) throws(Refusal) -> (link: LinkDefinition, captures: [String: String]) {
    let found = definition.link(for: text)
    guard let taken = found.taken else { throw found.refusal ?? definition.unknownLink }
    return (definition.links[taken.index], taken.values)
  }

  /// A step of what came from outside: a param that takes a value as it is reads it as its own type.
  func step(of template: StepTemplate, given: [String: Value]) throws(Refusal) -> ArrivedStep {
    let types = definition.steps[template.step]?.params ?? [:]
    var params: [String: Value] = [:]
    for (name, expression) in template.with {
      if case .reference(.param(let source)) = expression, let value = given[source] {
        params[name] = types[name]?.reading(value) ?? value
      } else {
        params[name] = try url(of: expression, in: Scope(params: given))
      }
    }
    let (checked, faults) = ParameterDefinition.check(params, against: types)
    guard faults.isEmpty else {
      let all = faults.map { Refusal.Fault(pointer: "/url", detail: "\($0.name) \($0.fault)") }
      throw Refusal(.invalid, "the link does not fit the step \(template.step)", faults: all)
    }
    return ArrivedStep(intent: intent(Step(template.step, params: checked)), to: template.to)
  }
}
