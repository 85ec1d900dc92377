/// A link that takes a URL: its steps with their params, and what it captured.
struct LinkMatch {
  var link: LinkDefinition
  var steps: [Intent]
  var captures: [String: String]
}

// Deep links.
extension Run {
  mutating func open(_ url: String) throws(Refusal) {
    try checkLength(of: url)
    let match = try match(url)
    if let condition = match.link.requires, !holds(condition, in: Scope()) { return try hold(url, match) }
    switch match.link.action {
    case .broadcast: queueArrival(match)
    case .steps:
      guard let first = match.steps.first else { return }
      try take(Turns.Item(intent: first, receiver: .visible))
      // What the first step's turn appended stands before the link's further steps.
      for intent in match.steps.dropFirst() { turns.enqueue(Turns.Item(intent: intent, receiver: .visible)) }
    }
  }

  /// Has a link's steps wait for their turns.
  mutating func queueArrival(_ match: LinkMatch) {
    switch match.link.action {
    case .steps: for intent in match.steps { turns.enqueue(Turns.Item(intent: intent, receiver: .visible)) }
    case .broadcast:
      for intent in match.steps {
        for flow in state.flows(from: [state.root]) {
          turns.enqueue(Turns.Item(intent: intent, receiver: .flow(flow), isBroadcast: true))
        }
      }
    }
  }

  /// A step that an arrival has sent beside its own: to the flow of the visible screen if it does not say otherwise, and with no speaker.
  mutating func sendArrival(_ template: StepTemplate, _ captures: [String: String]) throws(Refusal) {
    do {
      let step = try step(of: template, given: captures.mapValues(Value.string)).step
      let known = StepTemplate(template.step, with: step.params.mapValues(Expression.literal))
      try send(program.mold(known), as: .toCurrent, by: nil, emitter: nil, otherwise: visibleHearer, scope: Scope())
    } catch  where !error.code.isBound {
      drop(Step(template.step), error.code.rawValue)
    }
  }

  /// The first link in file order that takes the URL: its path, and the types of what it captures. Where a path alone is right, what the
  /// first of these does not take is told.
  func match(_ text: String) throws(Refusal) -> LinkMatch {
    guard let url = LinkURL(text) else { throw unknownLink }
    var misfit: Refusal?
    for link in definition.links {
      guard let captures = link.captures(from: url) else { continue }
      let given = captures.mapValues(Value.string)
      if let fault = self.misfit(link, given) {
        misfit = misfit ?? fault
        continue
      }
      var steps: [Intent] = []
      for template in link.templates { steps.append(try step(of: template, given: given)) }
      return LinkMatch(link: link, steps: steps, captures: captures)
    }
    throw misfit ?? unknownLink
  }

  private var unknownLink: Refusal {
    let shapes = definition.links.map { link in link.origins.map { $0 + link.pathText }.joined(separator: ", ") }
    let known = shapes.isEmpty ? "there are no links here" : "must be like \(shapes.joined(separator: ", "))"
    return Refusal(.unknownLink, "\(definition.app) has no link for this URL", faults: [.init(pointer: "/url", detail: known)])
  }

  /// What of the captures is not of the type of the param that takes it; nil: the link takes the URL.
  private func misfit(_ link: LinkDefinition, _ captures: [String: Value]) -> Refusal? {
    for template in link.templates {
      let faults = misfits(of: template, captures) { _ in "/url" }
      if !faults.isEmpty { return Refusal(.invalid, "the link does not fit the step \(template.step)", faults: faults) }
    }
    return nil
  }

  /// What does not fit of values that a step's params take as they are; `place`: where a value stands, by its name.
  func misfits(of template: StepTemplate, _ given: [String: Value], at place: (String) -> String) -> [Refusal.Fault] {
    let types = definition.steps[template.step]?.params ?? [:]
    return template.with.sorted { $0.key < $1.key }.compactMap { name, expression in
      guard case .reference(.param(let source)) = expression, let type = types[name] else { return nil }
      let fault =
        if let value = given[source] {
          type.fault(of: type.reading(value))
        } else {
          type.isOptional || type.defaultValue != nil ? nil : "is missing; it must be of type \(type.kind.rawValue)"
        }
      return fault.map { .init(pointer: place(source), detail: "\(name) \($0)") }
    }
  }

  /// A step of what came from outside: a param that takes a value as it is reads it as its own type.
  func step(of template: StepTemplate, given: [String: Value]) throws(Refusal) -> Intent {
    let types = definition.steps[template.step]?.params ?? [:]
    var params: [String: Value] = [:]
    for (name, expression) in template.with {
      if case .reference(.param(let source)) = expression, let value = given[source] {
        params[name] = types[name]?.reading(value) ?? value
      } else {
        params[name] = value(of: expression, in: Scope(params: given))
      }
    }
    let (checked, faults) = ParameterDefinition.check(params, against: types)
    guard faults.isEmpty else {
      let all = faults.map { Refusal.Fault(pointer: "/url", detail: "\($0.name) \($0.fault)") }
      throw Refusal(.invalid, "the link does not fit the step \(template.step)", faults: all)
    }
    return intent(Step(template.step, params: checked))
  }
}

extension LinkDefinition {
  /// What it sends, in order.
  public var templates: [StepTemplate] {
    switch action {
    case .steps(let steps): steps
    case .broadcast(let step): [step]
    }
  }
}
